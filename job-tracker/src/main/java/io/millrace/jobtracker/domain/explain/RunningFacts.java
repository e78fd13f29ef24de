package io.millrace.jobtracker.domain.explain;

import io.millrace.api.Explanation.Fact;
import io.millrace.api.FactKind;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.snapshot.GroupView;
import io.millrace.jobtracker.domain.snapshot.SplitRun;
import io.millrace.jobtracker.domain.snapshot.TaskSnapshot;
import io.millrace.jobtracker.domain.snapshot.Timing;
import io.millrace.jobtracker.domain.trigger.Execution;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The facts about executions that workers hold, and about runs that were split into parts. */
record RunningFacts(TaskSnapshot found, Timing timing, FactPhrases phrases) {
  private static final int SHOWN = 5;

  List<Fact> write() {
    List<Fact> facts = new ArrayList<>();
    found.executing().stream()
        .sorted(Comparator.comparingLong(Execution::claimedAt))
        .limit(SHOWN)
        .forEach(
            run -> facts.add(found.splitOf(run).map(this::split).orElseGet(() -> running(run))));
    int more = found.executing().size() - SHOWN;
    if (more > 0) {
      facts.add(new Fact(FactKind.RUNNING, null, more(more)));
    }
    return facts;
  }

  private String more(int more) {
    return found.executing().size() == TaskSnapshot.MAX_EXECUTING
        ? phrases.say("running.more.cut", Words.grouped(more))
        : phrases.sayFor(more, "running.more", Words.grouped(more));
  }

  private Fact split(SplitRun split) {
    Batch batch = split.batch();
    Execution run = batch.run();
    return new Fact(
        FactKind.RUNNING,
        Instant.ofEpochMilli(run.claimedAt()),
        phrases.sentences(
            phrases.say(
                "split",
                phrases.trigger(run.key(), run.plannedFor()),
                phrases.count(batch.counts().total(), "parts"),
                phrases.since(run.claimedAt(), found.now()),
                batch.id()),
            new PartFacts(found, timing, phrases).counts(split),
            phrases.origin(run.spec().replayOf())));
  }

  private Fact running(Execution execution) {
    return new Fact(
        FactKind.RUNNING,
        Instant.ofEpochMilli(execution.claimedAt()),
        phrases.sentences(
            phrases.say(
                "running",
                phrases.trigger(execution.key(), execution.plannedFor()),
                execution.workerId(),
                phrases.since(execution.claimedAt(), found.now()),
                execution.attempt(),
                Math.max(execution.attempt(), execution.spec().retry().maxRetries() + 1),
                execution.id()),
            phrases.origin(execution.spec().replayOf()),
            execution.stopRequested() ? phrases.say("running.stop") : "",
            new KeptPhrases(found, phrases).of(execution.id()),
            overdue(execution),
            connection(execution)));
  }

  private String overdue(Execution execution) {
    Duration timeout = execution.spec().timeout();
    return timeout == null
            || found.now() - execution.mayBeginAt() < timeout.plus(timing.timeoutGrace()).toMillis()
        ? ""
        : phrases.say("running.overdue", phrases.span(timeout.toMillis()));
  }

  private String connection(Execution execution) {
    GroupView view = found.serving().here();
    return view == null || view.workers().contains(execution.workerId())
        ? ""
        : phrases.say("running.gone", phrases.span(timing.workerLease().toMillis()));
  }
}
