package io.millrace.jobtracker.domain.explain;

import io.millrace.common.model.Explanation.Fact;
import io.millrace.common.model.FactKind;
import io.millrace.jobtracker.domain.trigger.JobDefinition;
import io.millrace.jobtracker.domain.trigger.JobState;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The coming fire times, or why there are none. */
final class NextFireFacts {
  private static final int SHOWN = 3;

  private final Findings found;
  private final @Nullable Fires fires;

  NextFireFacts(Findings found, @Nullable Fires fires) {
    this.found = found;
    this.fires = fires;
  }

  List<Fact> write() {
    JobDefinition job = found.job();
    if (found.isOfOneShot() || job == null) {
      return found.isAlive()
          ? List.of()
          : List.of(nothing("Nothing comes any more: a one-shot ends once, and this one has."));
    }
    return switch (job.state()) {
      case ACTIVE -> active(job);
      case PAUSED -> List.of();
      case FINISHED ->
          List.of(nothing("Nothing comes any more: no fire time is left, the job is FINISHED."));
      case CANCELLED ->
          List.of(nothing("Nothing comes any more: the job was cancelled or replaced."));
    };
  }

  private List<Fact> active(JobDefinition job) {
    if (fires == null || fires.times() == null) {
      return List.of();
    }
    if (job.spec().chained()) {
      return found.coming().stream()
          .filter(row -> row.isOfRecurringJob() && !row.key().isExtra())
          .map(WaitingTrigger::plannedFor)
          .map(at -> fire("Fires next at ", at, job))
          .toList();
    }
    List<Fact> facts = new ArrayList<>();
    for (long at : fires.between(found.now(), Long.MAX_VALUE, SHOWN)) {
      facts.add(fire(facts.isEmpty() ? "Fires next at " : "Then at ", at, job));
    }
    return facts.isEmpty() ? List.of(exhausted()) : facts;
  }

  private Fact fire(String begin, long at, JobDefinition job) {
    Long generateAt = job.generateAt();
    String written =
        at <= job.generatedUntil() || generateAt == null
            ? ""
            : " Its trigger is written at about " + Words.at(generateAt) + ".";
    return new Fact(
        FactKind.NEXT_FIRE,
        Instant.ofEpochMilli(at),
        begin + Words.atIn(at, found.now()) + localOf(at) + "." + written);
  }

  private String localOf(long at) {
    return fires == null ? "" : fires.local(at);
  }

  private Fact exhausted() {
    return nothing(
        found.waiting().isEmpty() && found.executing().isEmpty()
            ? "No fire time is left: the job becomes FINISHED in a moment."
            : "No fire time is left: the job becomes "
                + JobState.FINISHED
                + " when what waits and runs has ended.");
  }

  private static Fact nothing(String text) {
    return new Fact(FactKind.NO_NEXT_FIRE, null, text);
  }
}
