package io.millrace.jobtracker.domain.explain;

import static io.millrace.jobtracker.domain.trigger.Turns.Answer.RUNS;

import io.millrace.jobtracker.domain.trigger.Turns;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Duration;

/** Why a trigger that is due has not been drawn yet. */
final class DueReason {
  private final Findings found;
  private final Timing timing;

  DueReason(Findings found, Timing timing) {
    this.found = found;
    this.timing = timing;
  }

  String of(WaitingTrigger row) {
    return Words.trigger(row.key(), row.plannedFor())
        + " is due since "
        + Words.since(row.dueAt(), found.now())
        + reason()
        + turn(row)
        + missable(row);
  }

  private String reason() {
    Serving serving = found.serving();
    GroupView view = serving.here();
    if (view != null) {
      return reasonHere(view);
    }
    String group = "node group " + found.nodeGroup();
    if (serving.elsewhere() != null) {
      return "; "
          + group
          + " is served by "
          + serving.elsewhere()
          + ", and only that tracker knows what its workers do: ask it.";
    }
    return ", but no tracker serves "
        + group
        + " at the moment; a live one takes it over within about "
        + Words.span(timing.trackerLease().toMillis())
        + ".";
  }

  private String reasonHere(GroupView view) {
    if (view.inDoubt()) {
      return ", but this tracker, which serves node group "
          + found.nodeGroup()
          + ", has not renewed its lease in time: it hands nothing out until it has, and has looked"
          + " who serves the group now.";
    }
    if (view.workers().isEmpty()) {
      return ", but no worker of node group " + found.nodeGroup() + " is connected.";
    }
    if (view.blind()) {
      return ", but the waiting queue of node group "
          + found.nodeGroup()
          + " cannot be read at the moment.";
    }
    String workers = Words.count(view.workers().size(), "worker", "workers") + " connected";
    if (view.freeSlots() == 0) {
      return view.drainingWorkers() == view.workers().size()
          ? ", but of the " + workers + allDrain(view) + "; " + dueInGroup() + "."
          : ", but of the "
              + workers
              + " none has a free slot"
              + someDrain(view)
              + "; "
              + dueInGroup()
              + ".";
    }
    return " and is handed out in a moment: the "
        + workers
        + " wait for work with "
        + Words.count(view.freeSlots(), "free slot", "free slots")
        + ".";
  }

  private static String allDrain(GroupView view) {
    return (view.workers().size() == 1 ? " it is" : " all are")
        + " draining, so that none gets further work until an operator ends that";
  }

  private static String someDrain(GroupView view) {
    int draining = view.drainingWorkers();
    return draining == 0
        ? ""
        : ", and "
            + Words.count(draining, "of them is", "of them are")
            + " draining and gets no further work";
  }

  private String dueInGroup() {
    boolean isCut = found.dueInGroup() >= Findings.MAX_DUE;
    return (isCut ? "at least " : "")
        + Words.count(found.dueInGroup(), "trigger", "triggers")
        + " of the node group are due, and lower priority numbers go first"
        + ageing();
  }

  private String ageing() {
    Duration perLevel = timing.priorityAgeing();
    return perLevel == null
        ? ""
        : "; a trigger gains one level of priority for each "
            + Words.span(perLevel.toMillis())
            + " that it is due";
  }

  private String turn(WaitingTrigger row) {
    if (!row.isOfRecurringJob() || row.begun()) {
      return "";
    }
    Turns.Answer answer =
        found.specOf(row).map(spec -> found.turns().ask(spec.overlapPolicy())).orElse(RUNS);
    return switch (answer) {
      case RUNS -> "";
      case IS_HELD ->
          " If the run under way has not ended when a worker draws it, it waits for its turn.";
      case IS_SKIPPED ->
          " If the run under way has not ended when a worker draws it, it is skipped.";
    };
  }

  private String missable(WaitingTrigger row) {
    long until = row.plannedFor() + timing.misfireThreshold().toMillis();
    return row.isMissable(Long.MAX_VALUE) && until > found.now()
        ? " It counts as missed if no worker draws it by " + Words.at(until) + "."
        : "";
  }
}
