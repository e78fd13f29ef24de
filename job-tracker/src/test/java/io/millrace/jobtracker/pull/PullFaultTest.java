package io.millrace.jobtracker.pull;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.common.model.Job;
import io.millrace.common.protocol.ErrorCode;
import io.millrace.common.protocol.PullReply;
import io.millrace.common.protocol.PullRequest;
import io.millrace.common.protocol.PullStatus;
import io.millrace.common.rpc.RpcException;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.FaultyTransactions.Fault;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.RoomTest;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of pulls when the store, the executor, the connection or the worker is at fault. */
class PullFaultTest extends RoomTest {
  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  @Test
  void storeThatCannotBeReachedFailsThePullAndKeepsTheTrigger() {
    FaultyTransactions transactions = new FaultyTransactions(stores.transactions());
    HandDrivenTracker shaky = shaky(transactions);
    HandDrivenWorker its = shaky.worker("worker-1");
    shaky.submit(job("close").build());
    shaky.load();
    transactions.failNext(Fault.UNREACHABLE);

    assertUnavailable(its.pull(1));
    assertThat(its.takeOne().attempt()).isEqualTo(1);
    assertThat(ends("close")).isEmpty();
  }

  @Test
  void claimThatRolledBackInSilenceIsMadeAgain() {
    FaultyTransactions transactions = new FaultyTransactions(stores.transactions());
    HandDrivenTracker shaky = shaky(transactions);
    HandDrivenWorker its = shaky.worker("worker-1");
    shaky.submit(job("close").build());
    shaky.load();
    transactions.failNext(Fault.ROLLED_BACK_IN_SILENCE);

    assertUnavailable(its.pull(1));
    assertThat(its.takeOne().attempt()).isEqualTo(1);
  }

  /** LTS left such jobs stranded: they were executing, and nobody had been told. */
  @Test
  void claimThatCommittedInSilenceIsHandedOutOnceOnlyAndComesBackInTheEnd() {
    FaultyTransactions transactions = new FaultyTransactions(stores.transactions());
    HandDrivenTracker shaky = shaky(transactions);
    HandDrivenWorker its = shaky.worker("worker-1");
    shaky.submit(job("close").build());
    shaky.load();
    transactions.failNext(Fault.COMMITTED_IN_SILENCE);

    assertUnavailable(its.pull(1));
    assertThat(its.take(1)).as("it is executing, for all anybody knows").isEmpty();

    time.pass(HandDrivenTracker.WORKER_LEASE.plusMillis(1));
    shaky.recover();
    shaky.adoptStrays();
    its.beat();
    time.run();
    assertThat(its.takeOne().taskId()).isEqualTo("close");
    assertThat(ends("close")).containsExactly("RETURNED");
  }

  @Test
  void queueThatCannotBeReadDoesNotLookEmpty() {
    CompletableFuture<PullReply> reply = worker.pull(1);
    tracker.group().head().beginLoad();
    tracker.group().head().abandonLoad();
    time.pass(HandDrivenTracker.PARK_TIME);

    assertUnavailable(reply);
  }

  @Test
  void executorThatRefusesLeavesTheDeskInOrder() {
    submitDue("close");
    time.refuseTasks(true);
    assertThatThrownBy(() -> worker.pull(1)).isInstanceOf(RejectedExecutionException.class);
    time.refuseTasks(false);

    assertThat(worker.takeOne().taskId()).isEqualTo("close");
  }

  @Test
  void connectionThatClosesFailsItsParkedPullAndTheNextOneMayCountAnew() {
    CompletableFuture<PullReply> parked = worker.pull(41, 1, List.of());

    tracker.desk().disconnected("worker-1");

    assertUnavailable(parked);
    submitDue("close");
    assertThat(worker.pull(1, 1, List.of()).join().assignments()).hasSize(1);
  }

  @Test
  void deskThatIsClosedSaysThatItDoesNotServe() {
    CompletableFuture<PullReply> parked = worker.pull(1);

    tracker.desk().close();

    assertThat(parked.join().status()).isEqualTo(PullStatus.NOT_OWNER);
    assertThat(worker.pull(1).join().status()).isEqualTo(PullStatus.NOT_OWNER);
    submitDue("close");
    assertThat(waiting("close")).as("nothing is claimed any more").hasSize(1);
  }

  @Test
  void absurdPullsAreBadRequests() {
    List<Long> tooMany = Collections.nCopies(50_001, 1L);
    for (PullRequest request :
        List.of(
            new PullRequest(1, -1, List.of(), List.of()),
            new PullRequest(1, 10_001, List.of(), List.of()),
            new PullRequest(1, 1, tooMany, List.of()),
            new PullRequest(1, 1, List.of(), tooMany))) {
      assertThat(codeOf(tracker.desk().pull(worker.peer(), request)))
          .isEqualTo(ErrorCode.BAD_REQUEST);
    }
  }

  private HandDrivenTracker shaky(FaultyTransactions transactions) {
    return new HandDrivenTracker(3, FaultyTransactions.around(stores, transactions), time);
  }

  private void submitDue(String... taskIds) {
    tracker.submit(Arrays.stream(taskIds).map(id -> job(id).build()).toArray(Job[]::new));
    tracker.load();
  }

  private static void assertUnavailable(CompletableFuture<PullReply> reply) {
    assertThat(codeOf(reply)).isEqualTo(ErrorCode.UNAVAILABLE);
  }

  private static ErrorCode codeOf(CompletableFuture<PullReply> reply) {
    assertThat(reply).isCompletedExceptionally();
    return ((RpcException) reply.handle((unused, failure) -> failure).join()).code();
  }
}
