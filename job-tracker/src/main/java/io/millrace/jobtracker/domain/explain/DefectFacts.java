package io.millrace.jobtracker.domain.explain;

import io.millrace.api.Explanation.Fact;
import io.millrace.api.FactKind;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.snapshot.Fires;
import io.millrace.jobtracker.domain.snapshot.LostTriggers;
import io.millrace.jobtracker.domain.snapshot.Serving;
import io.millrace.jobtracker.domain.snapshot.TaskSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The facts about defects in the job's schedule and rows. */
record DefectFacts(
    TaskSnapshot found, @Nullable Fires fires, LostTriggers lost, FactPhrases phrases) {
  private static final long LATE_MILLIS = 60_000;

  List<Fact> write() {
    List<Fact> facts = new ArrayList<>();
    unreadable(facts);
    late(facts);
    lostFireTimes(facts);
    if (lost.lacksItsOneTrigger()) {
      facts.add(new Fact(FactKind.DEFECT, null, phrases.say("defect.no-trigger")));
    }
    lost.unfinished()
        .ifPresent(
            row ->
                facts.add(
                    defect(
                        row.times().finishedAt(),
                        phrases.say(
                            "defect.unfinished",
                            phrases.trigger(row.key(), row.plannedFor()),
                            phrases.say("status." + row.status()),
                            phrases.at(row.times().finishedAt())))));
    return facts;
  }

  private void unreadable(List<Fact> facts) {
    if (fires != null && fires.fault() != null) {
      facts.add(new Fact(FactKind.DEFECT, null, phrases.say("defect.schedule", fires.fault())));
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
            phrases.sentences(
                phrases.say(
                    "defect.late",
                    phrases.at(generateAt),
                    phrases.span(found.now() - generateAt),
                    phrases.at(job.generatedUntil())),
                whoIsLate())));
  }

  private String whoIsLate() {
    Serving.Elsewhere elsewhere = found.serving().elsewhere();
    if (found.serving().here() != null) {
      return phrases.say("defect.late.here");
    }
    return elsewhere == null
        ? phrases.say("defect.late.no-owner")
        : phrases.say("defect.late.elsewhere", phrases.tracker(elsewhere));
  }

  private void lostFireTimes(List<Fact> facts) {
    List<Long> times = lost.lostFireTimes();
    if (!times.isEmpty()) {
      long first = times.get(0);
      String text =
          times.size() == 1
              ? phrases.say("defect.lost.one", phrases.at(first))
              : phrases.say(
                  "defect.lost.many", phrases.count(times.size(), "triggers"), phrases.at(first));
      facts.add(defect(first, text));
    }
  }

  private static Fact defect(long at, String text) {
    return new Fact(FactKind.DEFECT, Instant.ofEpochMilli(at), text);
  }
}
