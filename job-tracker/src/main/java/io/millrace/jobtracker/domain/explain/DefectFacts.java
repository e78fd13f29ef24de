package io.millrace.jobtracker.domain.explain;

import io.millrace.common.model.Explanation.Fact;
import io.millrace.common.model.FactKind;
import io.millrace.jobtracker.domain.trigger.JobDefinition;
import io.millrace.jobtracker.domain.trigger.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is not as it should be. */
final class DefectFacts {
  private static final long LATE_MILLIS = 60_000;

  private final Findings found;
  private final @Nullable Fires fires;
  private final LostTriggers lost;

  DefectFacts(Findings found, @Nullable Fires fires) {
    this.found = found;
    this.fires = fires;
    this.lost = new LostTriggers(found, fires);
  }

  List<Fact> write() {
    List<Fact> facts = new ArrayList<>();
    unreadable(facts);
    late(facts);
    lostFireTimes(facts);
    if (lost.lacksItsOneTrigger()) {
      facts.add(
          new Fact(
              FactKind.DEFECT,
              null,
              "No trigger of it waits or runs, although another run should follow."));
    }
    lost.unfinished()
        .ifPresent(
            row ->
                facts.add(
                    defect(
                        row.finishedAt(),
                        Words.trigger(row.key(), row.plannedFor())
                            + " was to go on when its attempt ended as "
                            + row.status()
                            + " at "
                            + Words.at(row.finishedAt())
                            + ", but it neither waits nor runs.")));
    return facts;
  }

  private void unreadable(List<Fact> facts) {
    if (fires != null && fires.fault() != null) {
      facts.add(
          new Fact(FactKind.DEFECT, null, "Its schedule cannot be read: " + fires.fault() + "."));
    }
  }

  private void late(List<Fact> facts) {
    JobDefinition job = found.job();
    Long generateAt = job == null ? null : job.generateAt();
    if (job == null
        || job.state() != JobState.ACTIVE
        || generateAt == null
        || generateAt >= found.now() - LATE_MILLIS) {
      return;
    }
    facts.add(
        defect(
            generateAt,
            "Its further triggers were to be written at "
                + Words.at(generateAt)
                + ", "
                + Words.span(found.now() - generateAt)
                + " ago; they exist up to "
                + Words.at(job.generatedUntil())
                + " only. "
                + whoIsLate()));
  }

  private String whoIsLate() {
    Serving serving = found.serving();
    if (serving.here() != null) {
      return "This tracker serves the node group and is late: its log says why.";
    }
    return serving.elsewhere() == null
        ? "No tracker serves the node group."
        : "The node group is served by " + serving.elsewhere() + ", which is late.";
  }

  private void lostFireTimes(List<Fact> facts) {
    List<Long> times = lost.lostFireTimes();
    if (!times.isEmpty()) {
      long first = times.get(0);
      String text =
          times.size() == 1
              ? "The trigger of " + Words.at(first) + " neither waits nor runs nor has it ended."
              : Words.count(times.size(), "trigger", "triggers")
                  + ", the first of "
                  + Words.at(first)
                  + ", neither wait nor run nor have they ended.";
      facts.add(defect(first, text));
    }
  }

  private static Fact defect(long at, String text) {
    return new Fact(FactKind.DEFECT, Instant.ofEpochMilli(at), text);
  }
}
