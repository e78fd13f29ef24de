package io.millrace.jobtracker.domain.explain;

import static io.millrace.jobtracker.domain.job.RunCounts.Answer.RUNS;

import io.millrace.jobtracker.domain.job.RunCounts;
import io.millrace.jobtracker.domain.snapshot.GroupView;
import io.millrace.jobtracker.domain.snapshot.Serving;
import io.millrace.jobtracker.domain.snapshot.TaskSnapshot;
import io.millrace.jobtracker.domain.snapshot.Timing;
import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Explains why a due trigger has not been claimed yet. */
record DueReason(TaskSnapshot found, Timing timing, FactPhrases phrases) {
  private static final int MOST_NAMED = 5;

  String of(WaitingTrigger row) {
    return phrases.sentences(
        reason(
            found.specOf(row).orElse(null),
            phrases.trigger(row.key(), row.plannedFor()),
            phrases.since(row.dueAt(), found.now())),
        turn(row),
        missable(row));
  }

  private String reason(@Nullable TriggerSpec spec, String trigger, String since) {
    GroupView view = found.serving().here();
    if (view != null) {
      return spec == null || view.inDoubt() || view.workers().isEmpty()
          ? reasonHere(view, trigger, since)
          : reasonHere(view, spec, trigger, since);
    }
    Serving.Elsewhere elsewhere = found.serving().elsewhere();
    return elsewhere == null
        ? phrases.say(
            "due.no-tracker",
            trigger,
            since,
            found.nodeGroup(),
            phrases.span(timing.trackerLease().toMillis()))
        : phrases.say(
            "due.elsewhere", trigger, since, found.nodeGroup(), phrases.tracker(elsewhere));
  }

  /** The reason where there are workers, but not all of them may run it. */
  private String reasonHere(GroupView view, TriggerSpec spec, String trigger, String since) {
    GroupView able = view.serving(spec);
    BoundTo bound = spec.boundTo();
    if (bound != null && !view.blind() && able.freeSlots() == 0) {
      return phrases.say(bound(able), trigger, since, bound.workerId());
    }
    if (able.workers().isEmpty()) {
      return lacks(view, spec.laneOrPlain(), trigger, since);
    }
    return spec.isBroadcast() && !view.awaited().isEmpty()
        ? phrases.say(
            "due.awaits",
            trigger,
            since,
            found.nodeGroup(),
            phrases.list(view.awaited().stream().sorted().toList(), MOST_NAMED),
            phrases.span(timing.workerLease().toMillis()))
        : reasonHere(able, trigger, since);
  }

  /** Why the only worker that may run it does not. */
  private static String bound(GroupView able) {
    if (able.workers().isEmpty()) {
      return "due.bound";
    }
    return able.drainingWorkers() > 0 ? "due.bound.drains" : "due.bound.no-slot";
  }

  /** No worker may run it, though there are some. */
  private String lacks(GroupView view, Lane lane, String trigger, String since) {
    List<String> lacked = view.lacked(lane);
    List<String> labels = lacked.isEmpty() ? lane.labels() : lacked;
    if (labels.contains(Lane.PARTS) && !lacked.isEmpty()) {
      return phrases.say("due.no-parts", trigger, since, found.nodeGroup());
    }
    String names =
        labels.stream().filter(label -> !Lane.isFeature(label)).collect(Collectors.joining(", "));
    return phrases.say(
        lacked.size() == 1 ? "due.no-label" : "due.no-labels",
        trigger,
        since,
        found.nodeGroup(),
        names);
  }

  private String reasonHere(GroupView view, String trigger, String since) {
    if (view.inDoubt()) {
      return phrases.say("due.in-doubt", trigger, since, found.nodeGroup());
    }
    if (view.workers().isEmpty()) {
      return phrases.say("due.no-worker", trigger, since, found.nodeGroup());
    }
    if (view.blind()) {
      return phrases.say("due.blind", trigger, since, found.nodeGroup());
    }
    String workers = phrases.count(view.workers().size(), "workers");
    if (view.freeSlots() > 0) {
      return phrases.say(
          "due.soon", trigger, since, workers, phrases.count(view.freeSlots(), "slots"));
    }
    int draining = view.drainingWorkers();
    if (draining == view.workers().size()) {
      return phrases.sayFor(draining, "due.all-drain", trigger, since, workers, dueInGroup());
    }
    return draining == 0
        ? phrases.say("due.no-slot", trigger, since, workers, dueInGroup())
        : phrases.sayFor(
            draining,
            "due.some-drain",
            trigger,
            since,
            workers,
            Words.grouped(draining),
            dueInGroup());
  }

  private String dueInGroup() {
    boolean isCut = found.dueInGroup() >= TaskSnapshot.MAX_DUE;
    String due =
        phrases.say(
            isCut ? "due.group.cut" : "due.group", phrases.count(found.dueInGroup(), "triggers"));
    Duration perLevel = timing.priorityAgeing();
    return perLevel == null
        ? due
        : phrases.say("due.ageing", due, phrases.span(perLevel.toMillis()));
  }

  private String turn(WaitingTrigger row) {
    if (!row.isOfRecurringJob() || row.begun()) {
      return "";
    }
    RunCounts.Answer answer =
        found.specOf(row).map(spec -> found.turns().ask(spec.overlapPolicy())).orElse(RUNS);
    return switch (answer) {
      case RUNS -> "";
      case IS_HELD -> phrases.say("due.turn.held");
      case IS_SKIPPED -> phrases.say("due.turn.skipped");
    };
  }

  private String missable(WaitingTrigger row) {
    long until = row.inTimeUntil(timing.misfireThreshold().toMillis());
    return row.isMissable() && until > found.now()
        ? phrases.say("due.missable", phrases.at(until))
        : "";
  }
}
