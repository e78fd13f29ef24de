package io.millrace.jobtracker.batch;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.FaultyTransactions.Fault;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.failure.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Commands on a job while a run of it is split. Each commit of them is lost once: a request that is
 * not answered is sent again, and the command takes effect once.
 */
class BatchCommandFaultsTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int SHARDS = 5;

  /** What is asked for: of the run under way, or of the run before, which is dead. */
  enum Command {
    CANCEL,
    TERMINATE,
    /** Of a run that was cancelled before, and of which a part runs on. */
    TERMINATE_WHAT_STOPS,
    PAUSE,
    EDIT,
    RUN_NOW,
    REPLAY_OF_A_PART,
    REPLAY_OF_THE_RUN_BEFORE,
    KEEPING_REPLAY_OF_THE_RUN_BEFORE
  }

  private FaultyTransactions transactions;
  private HandDrivenWorker worker;
  private long deadRun;
  private long run;
  private long deadPart;
  private Assignment held;
  private Instant begun;

  static Stream<Arguments> losses() {
    return Stream.of(Command.values())
        .flatMap(
            command ->
                Stream.of(Fault.values())
                    .filter(fault -> fault != Fault.NONE)
                    .map(fault -> Arguments.of(command, fault)));
  }

  @ParameterizedTest
  @MethodSource("losses")
  void commandTakesEffectOnceWhicheverCommitIsLost(Command command, Fault fault) {
    int commits = 0;
    while (play(command, commits, fault, commits % 2 == 0)) {
      commits++;
    }
    assertThat(commits).isPositive();
  }

  private Job.Builder poll() {
    return job("poll")
        .every(MINUTE)
        .at(begun)
        .shards(SHARDS)
        .retry(RetryPolicy.NONE)
        .overlap(OverlapPolicy.allow());
  }

  /** Returns whether so many commits were reached. */
  private boolean play(Command command, int commit, Fault fault, boolean trackerDies) {
    openTracker();
    transactions = new FaultyTransactions(stores.transactions());
    tracker = new HandDrivenTracker(1, FaultyTransactions.around(stores, transactions), time);
    worker = tracker.worker("worker-1");
    begin();
    if (command == Command.TERMINATE_WHAT_STOPS) {
      assertThat(tracker.cancel("poll").running()).isEqualTo(1);
    }
    transactions.failAfter(commit, fault);
    boolean answered = isAnswered(command);
    boolean reached = transactions.wasReached();
    transactions.failNext(Fault.NONE);
    if (!answered && trackerDies) {
      tracker = new HandDrivenTracker(2, stores, time);
      tracker.adopt();
      worker = worker.movedTo(tracker);
    }
    for (int asked = 0; !answered; asked++) {
      assertThat(asked).as("%s is answered", command).isLessThan(5);
      time.pass(Duration.ofSeconds(1));
      answered = isAnswered(command);
    }
    if (command == Command.TERMINATE_WHAT_STOPS) {
      assertThat(executing(PartKey.taskIdOf(run)))
          .extracting(Execution::terminatedBy)
          .containsExactly("shop/client-1");
      worker.report(held, Outcome.INTERRUPTED);
    } else {
      worker.succeed(held);
    }
    finish();
    assertOnce(command);
    return reached;
  }

  /** A dead run, and another one of which a part is dead, one runs and the others wait. */
  private void begin() {
    begun = time.now();
    tracker.submit("submission-1", poll().build());
    List<Assignment> first = take(SHARDS);
    worker.report(first.get(0), Outcome.EXCEPTION);
    first.subList(1, SHARDS).forEach(worker::succeed);
    tracker.runBatches();
    deadRun = dead("poll").get(0).id();
    time.pass(MINUTE);
    List<Assignment> second = take(2);
    run = stores.batches().findUnderWay(GROUP, 0, 10).get(0).id();
    worker.report(second.get(0), Outcome.EXCEPTION);
    deadPart = second.get(0).executionId();
    held = second.get(1);
  }

  private List<Assignment> take(int count) {
    List<Assignment> taken = worker.takeAll(count);
    assertThat(taken).hasSize(count);
    return taken;
  }

  private boolean isAnswered(Command command) {
    try {
      return carryOut(command);
    } catch (StoreException | CompletionException | RpcException e) {
      return false;
    }
  }

  /** Returns whether it was carried out; a submit says so if it was not. */
  private boolean carryOut(Command command) {
    return switch (command) {
      case CANCEL -> tracker.cancel("poll").found();
      case TERMINATE, TERMINATE_WHAT_STOPS -> tracker.terminate("poll").running() >= 0;
      case PAUSE -> tracker.pause("poll").running() >= 0;
      case EDIT ->
          tracker.submit("submission-2", poll().shards(2).replaceExisting(true).build()).isStored();
      case RUN_NOW -> tracker.runNow("request-1", "poll", null).isAccepted();
      case REPLAY_OF_A_PART -> isReplayed(tracker.replay(deadPart));
      case REPLAY_OF_THE_RUN_BEFORE -> isReplayed(tracker.replay(deadRun));
      case KEEPING_REPLAY_OF_THE_RUN_BEFORE -> isReplayed(tracker.replayKeeping(deadRun));
    };
  }

  private static boolean isReplayed(ReplayResult result) {
    assertThat(result.replayId()).as(result.message()).isNotNull();
    return true;
  }

  /** Runs everything that is due, but no further fire time. */
  private void finish() {
    for (int i = 0; i < 4; i++) {
      time.pass(Duration.ofSeconds(11));
      tracker.recover();
      tracker.runBatches();
      for (List<Assignment> some = worker.take(20); !some.isEmpty(); some = worker.take(20)) {
        some.forEach(worker::succeed);
        tracker.runBatches();
      }
    }
    assertThat(stores.batches().findUnderWay(GROUP, 0, 10)).isEmpty();
    assertThat(stores.executing().findByGroup(GROUP, 0, 10)).isEmpty();
  }

  private void assertOnce(Command command) {
    List<String> runs = finals("poll");
    switch (command) {
      case CANCEL -> {
        assertThat(runs.subList(0, 2)).containsExactly("DEAD", "CANCELLED");
        assertThat(definition("poll").state()).isEqualTo(JobState.CANCELLED);
        assertThat(numbers(run)).isEqualTo(SHARDS);
      }
      case TERMINATE -> {
        assertThat(runs).containsExactly("DEAD", "CANCELLED");
        assertThat(numbers(run)).isEqualTo(SHARDS);
      }
      case TERMINATE_WHAT_STOPS -> {
        assertThat(runs.subList(0, 2)).containsExactly("DEAD", "CANCELLED");
        assertThat(ledger("poll"))
            .filteredOn(row -> row.id() == run)
            .extracting(LedgerEntry::cause)
            .containsExactly(Cause.of(CauseCode.TERMINATED_BY, "shop/client-1"));
        assertThat(numbers(run)).isEqualTo(SHARDS);
      }
      case PAUSE -> {
        assertThat(runs.subList(0, 2)).containsExactly("DEAD", "DEAD");
        assertThat(definition("poll").state()).isEqualTo(JobState.PAUSED);
        assertThat(numbers(run)).isEqualTo(SHARDS);
      }
      case EDIT -> {
        assertThat(runs.subList(0, 2)).containsExactly("DEAD", "DEAD");
        assertThat(definition("poll").spec().shards()).isEqualTo(2);
        assertThat(numbers(run)).as("by the former definition").isEqualTo(SHARDS);
      }
      case RUN_NOW -> assertThat(runs).containsExactlyInAnyOrder("DEAD", "DEAD", "SUCCEEDED");
      case REPLAY_OF_A_PART -> {
        assertThat(runs).containsExactly("DEAD", "SUCCEEDED");
        assertThat(numbers(run)).isEqualTo(SHARDS + 1);
      }
      case REPLAY_OF_THE_RUN_BEFORE -> assertReplayed(SHARDS);
      case KEEPING_REPLAY_OF_THE_RUN_BEFORE -> assertReplayed(1);
    }
  }

  private void assertReplayed(int parts) {
    List<LedgerEntry> replays =
        ledger("poll").stream()
            .filter(row -> Long.valueOf(deadRun).equals(row.origin().replayOf()))
            .toList();
    assertThat(replays).hasSize(1);
    assertThat(numbers(replays.get(0).id())).isEqualTo(parts);
    assertThat(finals("poll")).containsExactlyInAnyOrder("DEAD", "DEAD", "SUCCEEDED");
  }

  private List<String> finals(String taskId) {
    return ledger(taskId).stream()
        .filter(row -> row.status().isFinal())
        .map(row -> row.status().name())
        .toList();
  }

  private int numbers(long batchId) {
    List<LedgerEntry> ends =
        ledger(PartKey.taskIdOf(batchId)).stream().filter(row -> row.status().isFinal()).toList();
    assertThat(ends).extracting(row -> row.key().ordinal()).doesNotHaveDuplicates();
    return ends.size();
  }
}
