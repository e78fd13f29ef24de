package io.millrace.jobtracker.batch;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.PartResult;
import io.millrace.internal.protocol.StageReply;
import io.millrace.internal.protocol.StageStatus;
import io.millrace.internal.protocol.StagedPart;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.FaultyTransactions.Fault;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.failure.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A run with parts, parts below and reduces, of which each commit is lost once: it ends once all
 * the same, after each of its parts has ended once, and its reduces see all of them.
 */
class MapFaultsTest extends ServiceTest {
  private static final int ROUNDS = 200;
  private static final int PARTS = 3;

  private FaultyTransactions transactions;
  private HandDrivenWorker worker;
  private final List<Assignment> held = new ArrayList<>();
  private int trackers;

  static Stream<Arguments> losses() {
    return Stream.of(Fault.values())
        .filter(fault -> fault != Fault.NONE)
        .flatMap(fault -> Stream.of(Arguments.of(fault, true), Arguments.of(fault, false)));
  }

  @ParameterizedTest
  @MethodSource("losses")
  void runEndsOnceWhicheverCommitIsLost(Fault fault, boolean trackerDies) {
    int commits = 0;
    while (play(commits, fault, trackerDies)) {
      commits++;
    }
    assertThat(commits).isGreaterThan(15);
  }

  /** Returns whether so many commits were reached. */
  private boolean play(int commit, Fault fault, boolean trackerDies) {
    openTracker();
    held.clear();
    trackers = 1;
    transactions = new FaultyTransactions(stores.transactions());
    tracker = new HandDrivenTracker(1, FaultyTransactions.around(stores, transactions), time);
    worker = tracker.worker("worker-1");
    tracker.submit(job("index").reduce("sum").retry(RetryPolicy.retries(5)).feedback(true).build());
    transactions.failAfter(commit, fault);
    int rounds = 0;
    while (ends("index").isEmpty() || !ends("index").contains("SUCCEEDED")) {
      assertThat(rounds++).as("rounds after commit %s was %s", commit, fault).isLessThan(ROUNDS);
      boolean failed = !attempt(this::round);
      time.pass(Duration.ofSeconds(2));
      if (failed && trackerDies) {
        tracker = new HandDrivenTracker(++trackers, stores, time);
        tracker.adopt();
        worker = worker.movedTo(tracker);
      }
      failed = !attempt(() -> tracker.recover());
    }
    assertOnce(commit, fault);
    return transactions.wasReached();
  }

  private static boolean attempt(Runnable step) {
    try {
      step.run();
      return true;
    } catch (StoreException | CompletionException | RpcException e) {
      return false;
    }
  }

  /** Each step may fail: what a worker has not been acknowledged it sends again. */
  private void round() {
    tracker.runBatches();
    held.addAll(worker.take(10));
    for (Assignment assignment : List.copyOf(held)) {
      if (report(assignment)) {
        held.remove(assignment);
      }
    }
  }

  private boolean report(Assignment assignment) {
    if (Boolean.TRUE.equals(assignment.reduces())) {
      int sum =
          worker.parts(assignment, 0).parts().stream()
              .map(PartResult::result)
              .mapToInt(Integer::parseInt)
              .sum();
      return isAnswered(worker.succeed(assignment, String.valueOf(sum)));
    }
    boolean maps = assignment.part() == null || "2".equals(assignment.params().get("n"));
    return maps ? map(assignment) : isAnswered(worker.succeed(assignment, "1"));
  }

  /** The second part of the run makes parts too, in two requests. */
  private boolean map(Assignment assignment) {
    String prefix = assignment.part() == null ? "" : "below-";
    for (int i = 1; i <= PARTS; i++) {
      StagedPart part = new StagedPart(null, Map.of("n", prefix + i));
      StageReply reply = worker.stage(assignment, i, List.of(part));
      if (reply.status() == StageStatus.LOST) {
        return true;
      }
      assertThat(reply.status()).isEqualTo(StageStatus.STORED);
    }
    return isAnswered(worker.split(assignment, PARTS));
  }

  private static boolean isAnswered(CompletionStatus status) {
    return status != CompletionStatus.TRY_AGAIN;
  }

  private void assertOnce(int commit, Fault fault) {
    List<LedgerEntry> ended =
        ledger("index").stream().filter(end -> end.status() == LedgerStatus.SUCCEEDED).toList();
    assertThat(ended).as("commit %s was %s", commit, fault).hasSize(1);
    long run = ended.get(0).id();
    assertThat(stores.results().find(List.of(run))).containsEntry(run, "5");
    assertThat(numbersOfEnds(run)).containsExactly(1, 2, 3, 4);
    long below =
        finalEnds(run).stream()
            .filter(end -> end.key().ordinal() == 2)
            .map(LedgerEntry::id)
            .findFirst()
            .orElseThrow();
    assertThat(numbersOfEnds(below)).containsExactly(1, 2, 3, 4);
    tracker.runBatches();
    assertThat(stores.batches().findUnderWay(GROUP, 0, 10)).isEmpty();
    assertThat(stores.executing().findByGroup(GROUP, 0, 10)).isEmpty();
    assertThat(stores.feedback().read("shop", 0, 10)).hasSize(1);
  }

  private List<LedgerEntry> finalEnds(long batchId) {
    return stores.ledger().findByJob(batchId).stream()
        .filter(end -> end.status().disposition() != null)
        .toList();
  }

  private List<Integer> numbersOfEnds(long batchId) {
    return finalEnds(batchId).stream().map(end -> end.key().ordinal()).sorted().toList();
  }

  /** What the worker of an attempt that ended otherwise still holds is nobody's. */
  @ParameterizedTest
  @MethodSource("losses")
  void attemptThatFailsLeavesNothingWhicheverCommitIsLost(Fault fault, boolean trackerDies) {
    openTracker();
    transactions = new FaultyTransactions(stores.transactions());
    tracker = new HandDrivenTracker(1, FaultyTransactions.around(stores, transactions), time);
    worker = tracker.worker("worker-1");
    tracker.submit(job("index").retry(RetryPolicy.NONE).build());
    Assignment run = worker.takeOne();
    worker.stage(run, PARTS);
    transactions.failNext(fault);

    boolean done = attempt(() -> worker.report(run, Outcome.EXCEPTION));
    if (!done || ends("index").isEmpty()) {
      if (trackerDies) {
        tracker = new HandDrivenTracker(2, stores, time);
        worker = worker.movedTo(tracker);
      }
      time.pass(Duration.ofMinutes(2));
      worker.report(run, Outcome.EXCEPTION);
    }
    time.pass(Duration.ofMinutes(1));
    tracker.runBatches();

    assertThat(ends("index")).containsExactly("DEAD");
    assertThat(stores.batches().find(List.of(run.executionId()))).isEmpty();
    assertThat(stores.parts().read(run.executionId(), 0, 1)).isEmpty();
  }
}
