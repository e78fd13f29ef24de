package io.millrace.jobtracker.domain.explain;

import io.millrace.api.Explanation.Fact;
import io.millrace.api.FactKind;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.PartCounts;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.snapshot.PartsOf;
import io.millrace.jobtracker.domain.snapshot.SplitRun;
import io.millrace.jobtracker.domain.snapshot.TaskSnapshot;
import io.millrace.jobtracker.domain.snapshot.Timing;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The facts about parts of runs that were split: what keeps these runs from ending. */
record PartFacts(TaskSnapshot found, Timing timing, FactPhrases phrases) {
  private static final int SHOWN_RUNS = 2;
  private static final int SHOWN_PARTS = 3;

  /** What the parts of a job's runs do, in the words for triggers. */
  List<Fact> write() {
    List<Fact> facts = new ArrayList<>();
    for (SplitRun split : found.splits().stream().limit(SHOWN_RUNS).toList()) {
      TaskSnapshot parts = found.ofParts(split, waiting(split), running(split));
      facts.addAll(new RunningFacts(parts, timing, phrases).write());
      facts.addAll(new WaitingFacts(parts, timing, phrases).write());
    }
    return facts;
  }

  private static List<Execution> running(SplitRun split) {
    return split.running().stream()
        .sorted(Comparator.comparingLong(Execution::claimedAt))
        .limit(SHOWN_PARTS)
        .toList();
  }

  /** Those that are due, and those that are due first of the others: they wait to be retried. */
  private List<WaitingTrigger> waiting(SplitRun split) {
    Stream<WaitingTrigger> due = split.waiting().stream().filter(row -> row.dueAt() <= found.now());
    Stream<WaitingTrigger> later =
        split.waiting().stream()
            .filter(row -> row.dueAt() > found.now())
            .sorted(Comparator.comparingLong(WaitingTrigger::dueAt))
            .limit(SHOWN_PARTS);
    return Stream.concat(later, due).toList();
  }

  /** What a task id of parts stands for. */
  Fact what(PartsOf of) {
    SplitRun open = of.open();
    if (open != null) {
      Batch batch = open.batch();
      return new Fact(
          FactKind.STATE,
          Instant.ofEpochMilli(batch.run().claimedAt()),
          phrases.sentences(
              phrases.say(
                  "parts.open",
                  batch.id(),
                  batch.run().spec().part() == null
                      ? batch.run().key().taskId()
                      : batch.run().spec().part().taskId(),
                  phrases.since(batch.run().claimedAt(), found.now())),
              counts(open)));
    }
    LedgerEntry ended = of.ended();
    return ended == null
        ? new Fact(FactKind.STATE, null, phrases.say("parts.forgotten", of.batchId()))
        : new Fact(
            FactKind.STATE,
            Instant.ofEpochMilli(ended.times().finishedAt()),
            phrases.say(
                "parts.ended",
                of.batchId(),
                ended.key().taskId(),
                phrases.say("status." + ended.status()),
                phrases.at(ended.times().finishedAt())));
  }

  /** The sentences on how far the parts of a run are. */
  String counts(SplitRun split) {
    Batch batch = split.batch();
    PartCounts counts = batch.counts();
    int running = Math.min(counts.live(), split.running().size());
    return phrases.sentences(
        phrases.sayFor(
            counts.ended().total(),
            "split.counts",
            Words.grouped(counts.ended().total()),
            phrases.count(counts.total(), "parts"),
            Words.grouped(running),
            Words.grouped(counts.live() - running)),
        counts.unreleased() == 0
            ? ""
            : phrases.say("split.unreleased", Words.grouped(counts.unreleased())),
        counts.failures() == 0
            ? ""
            : phrases.say("split.failures", Words.grouped(counts.failures())),
        batch.stop() == null ? "" : phrases.say("split.stop." + batch.stop()),
        counts.isAllEnded() ? phrases.say("split.all-ended") : "");
  }
}
