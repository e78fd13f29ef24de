package io.millrace.jobtracker.group.pull;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Job;
import io.millrace.api.OverlapPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.protocol.PullStatus;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.FaultyTransactions.Fault;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of pulls when the store, the executor, the connection or the worker is at fault. */
class PullFaultTest extends ServiceTest {
  private HandDrivenWorker worker;
  private FaultyTransactions transactions;
  private HandDrivenTracker shaky;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
    transactions = new FaultyTransactions(stores.transactions());
  }

  private void openShaky() {
    shaky = new HandDrivenTracker(3, FaultyTransactions.around(stores, transactions), time);
  }

  private HandDrivenWorker shakyWithOneDue() {
    openShaky();
    shaky.submit(job("close").build());
    shaky.load();
    return shaky.worker("worker-1");
  }

  @Test
  void storeThatCannotBeReachedFailsThePullAndKeepsTheTrigger() {
    HandDrivenWorker its = shakyWithOneDue();
    transactions.failNext(Fault.UNREACHABLE);

    assertTroubled(its.pull(1));
    assertThat(its.takeOne().attempt()).isEqualTo(1);
    assertThat(ends("close")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"COMMITTED_IN_SILENCE", "ROLLED_BACK_IN_SILENCE"})
  void claimWhoseCommitWasLostIsFoundOutAndAnsweredByTheSameReply(Fault fault) {
    HandDrivenWorker its = shakyWithOneDue();
    transactions.failNext(fault);

    List<Assignment> taken = its.receive(its.pull(1));

    assertThat(taken).singleElement().matches(assignment -> assignment.attempt() == 1);
    assertThat(executing("close")).singleElement().matches(e -> holds(taken, e.id()));
    assertThat(its.succeed(taken.get(0))).isEqualTo(CompletionStatus.ACCEPTED);
    assertThat(its.take(1)).isEmpty();
    assertThat(ends("close")).containsExactly("SUCCEEDED");
  }

  /** LTS left such jobs stranded: they were executing, and nobody had been told. */
  @ParameterizedTest
  @EnumSource(names = {"COMMITTED_OUT_OF_REACH", "ROLLED_BACK_OUT_OF_REACH"})
  void claimThatCannotBeFoundOutComesBackWithTheNextPullAndIsNoAttempt(Fault fault) {
    HandDrivenWorker its = shakyWithOneDue();
    transactions.failNext(fault);
    assertTroubled(its.pull(1));

    its.beat();
    time.run();

    Assignment assignment = its.takeOne();
    assertThat(assignment.attempt()).isEqualTo(1);
    assertThat(ends("close")).allMatch("RETURNED"::equals).hasSizeLessThan(2);
    its.succeed(assignment);
    assertThat(executing("close")).isEmpty();
    time.pass(HandDrivenTracker.WORKER_LEASE.plusMillis(1));
    assertThat(its.take(1)).isEmpty();
  }

  /** What one part of a claim has won must not be forgotten because another part fails. */
  @Test
  void partOfAClaimThatCommittedIsHandedOutAlthoughAnotherFails() {
    openShaky();
    HandDrivenWorker its = shaky.worker("worker-1");
    shaky.submit(job("poll").every(Duration.ofMinutes(1)).overlap(OverlapPolicy.allow()).build());
    its.takeOne();
    WaitingTrigger executingToo =
        definition("poll").triggerFor(1, time.millis(), null, time.millis());
    stores.waiting().insert(HandDrivenTracker.GROUP, List.of(executingToo));
    shaky.submit(job("a").build(), job("b").build(), job("c").build());
    shaky.load();
    transactions.failAfter(4, Fault.UNREACHABLE);

    List<Assignment> taken = its.receive(its.pull(4));

    assertThat(taken).extracting(Assignment::taskId).containsExactly("a");
    assertThat(waiting("b")).hasSize(1);
    assertThat(its.take(4)).extracting(Assignment::taskId).containsExactly("b", "c");
  }

  /** It passes when the lease of the number is renewed; no trigger is to blame for it. */
  @Test
  void trackerWhoseNumberHasLapsedFailsThePullAndKeepsTheTriggers() {
    submitDue("a", "b", "c");
    tracker.holdsItsNumber(false);

    assertTroubled(worker.pull(3));

    tracker.holdsItsNumber(true);
    CompletableFuture<PullReply> reply = worker.pull(3);
    assertThat(reply).as("without a load in between").isDone();
    assertThat(worker.receive(reply)).hasSize(3);
  }

  @Test
  void queueThatCannotBeReadDoesNotLookEmpty() {
    CompletableFuture<PullReply> reply = worker.pull(1);
    tracker.group().head().beginLoad().abandon();
    time.pass(HandDrivenTracker.PARK_TIME);

    assertTroubled(reply);
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

    tracker.desk().disconnected(worker.peer());

    assertUnavailable(parked);
    submitDue("close");
    assertThat(worker.pull(1, 1, List.of()).join().assignments()).hasSize(1);
  }

  @Test
  void deskThatIsClosedSaysThatItDoesNotServe() {
    CompletableFuture<PullReply> parked = worker.pull(1);

    tracker.desk().close(null);

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

  @Test
  void namesOfFeaturesAreBounded() {
    for (List<String> features :
        List.of(
            Collections.nCopies(17, "parts"),
            List.of("x".repeat(33)),
            List.of(""),
            List.of("two words"),
            List.of("Parts"))) {
      assertThatThrownBy(() -> tracker.desk().pull(worker.peer(), naming(features)).join())
          .hasRootCauseMessage(
              "a pull may name up to 16 features, each of 1 to 32 small letters, digits and"
                  + " hyphens");
    }
    List<String> most = Collections.nCopies(16, "x-1".repeat(10) + "yz");
    assertThat(tracker.desk().pull(worker.peer(), naming(most)).join().status())
        .isEqualTo(PullStatus.SERVED);
  }

  private static PullRequest naming(List<String> features) {
    return new PullRequest(1, 0, List.of(), List.of(), null, null, null, null, features, null);
  }

  private static boolean holds(List<Assignment> taken, long executionId) {
    return taken.stream().anyMatch(assignment -> assignment.executionId() == executionId);
  }

  private void submitDue(String... taskIds) {
    tracker.submit(Arrays.stream(taskIds).map(id -> job(id).build()).toArray(Job[]::new));
    tracker.load();
  }

  /** The worker is told that nothing can be handed out, and that it was heard. */
  private static void assertTroubled(CompletableFuture<PullReply> reply) {
    assertThat(reply)
        .isCompletedWithValueMatching(
            told ->
                told.assignments().isEmpty()
                    && told.trouble() != null
                    && told.leaseMillis() == HandDrivenTracker.WORKER_LEASE.toMillis());
  }

  private static void assertUnavailable(CompletableFuture<PullReply> reply) {
    assertThat(codeOf(reply)).isEqualTo(ErrorCode.UNAVAILABLE);
  }

  private static ErrorCode codeOf(CompletableFuture<PullReply> reply) {
    assertThat(reply).isCompletedExceptionally();
    return ((RpcException) reply.handle((unused, failure) -> failure).join()).code();
  }
}
