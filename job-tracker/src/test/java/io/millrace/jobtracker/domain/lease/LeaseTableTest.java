package io.millrace.jobtracker.domain.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.protocol.PullRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeaseTableTest {
  private static final long LEASE = 15_000;

  private final LeaseTable leases = new LeaseTable(LEASE, 60_000);

  @Test
  void leaseRunsOutOneLeaseAfterItWasGranted() {
    leases.grant(7, "worker-1", 1, 100);

    assertThat(leases.expired(100 + LEASE - 1)).isEmpty();
    assertThat(leases.expired(100 + LEASE)).containsExactly(7L);
  }

  @Test
  void beingListedRenewsTheLease() {
    leases.grant(7, "worker-1", 1, 0);

    pull(2, List.of(7L), List.of(), 10_000);

    assertThat(leases.expired(LEASE)).isEmpty();
    assertThat(leases.expired(10_000 + LEASE)).containsExactly(7L);
  }

  @Test
  void workerLearnsWhatWasTakenFromIt() {
    leases.grant(7, "worker-1", 1, 0);
    leases.grant(8, "worker-1", 1, 0);
    pull(2, List.of(7L, 8L), List.of(), 0);
    assertThat(leases.expired(LEASE)).containsExactly(7L, 8L);
    leases.end(List.of(7L));

    assertThat(leases.takenFrom("worker-1", List.of(7L, 8L, 9L))).containsExactly(7L);
    assertThat(leases.takenFrom("worker-2", List.of(7L))).isEmpty();
    assertThat(leases.unknown("worker-1", List.of(7L, 8L, 9L))).containsExactly(9L);
    assertThat(leases.unknown("worker-2", List.of(7L, 8L))).containsExactly(7L, 8L);
  }

  @Test
  void whatEndsByItselfWasNotTakenAlsoIfItsLeaseHadRunOutForAWhile() {
    leases.grant(7, "worker-1", 1, 0);
    leases.grant(8, "worker-1", 1, 0);
    leases.grant(9, "worker-1", 1, 0);
    assertThat(leases.expired(LEASE)).hasSize(3);
    pull(2, List.of(7L), List.of(), LEASE);
    leases.end(List.of(7L));
    leases.extendAll(LEASE);
    leases.end(List.of(8L));

    assertThat(leases.takenFrom("worker-1", List.of(7L, 8L, 9L))).isEmpty();
  }

  @Test
  void whatWasTakenIsRememberedUpToABound() {
    for (long id = 1; id <= LeaseTable.MAX_TAKEN + 1; id++) {
      leases.grant(id, "worker-1", 1, 0);
      assertThat(leases.expired(LEASE)).containsExactly(id);
      leases.end(List.of(id));
    }

    assertThat(leases.takenFrom("worker-1", List.of(1L, 2L))).containsExactly(2L);
  }

  @Test
  void anotherWorkersListRenewsNothing() {
    leases.grant(7, "worker-1", 1, 0);

    assertThat(leases.renew("worker-2", 5, List.of(7L), List.of(), Long.MAX_VALUE, 10_000))
        .isEmpty();

    assertThat(leases.expired(LEASE)).containsExactly(7L);
  }

  @Test
  void executionWhosePullIsNotWaitedForAnyMoreWasNeverReceived() {
    leases.grant(7, "worker-1", 1, 0);

    assertThat(pull(2, List.of(), List.of(), 1_000)).containsExactly(7L);
  }

  @Test
  void executionWhosePullIsStillWaitedForMayYetBeReceived() {
    leases.grant(7, "worker-1", 1, 0);

    assertThat(pull(2, List.of(), List.of(1L), 1_000)).isEmpty();
    assertThat(pull(3, List.of(), List.of(2L), 2_000)).containsExactly(7L);
  }

  @Test
  void executionThatWasListedOnceWasReceivedWhateverTheWorkerListsLater() {
    leases.grant(7, "worker-1", 1, 0);
    pull(2, List.of(7L), List.of(), 1_000);

    assertThat(pull(3, List.of(), List.of(), 2_000)).isEmpty();
    assertThat(leases.expired(1_000 + LEASE)).containsExactly(7L);
  }

  /** Requests of an old and a new connection may be heard in the wrong order. */
  @Test
  void pullThatIsHeardLateSaysNothingOfLaterPulls() {
    leases.grant(7, "worker-1", 6, 0);

    assertThat(pull(5, List.of(), List.of(4L), 1_000)).isEmpty();
    assertThat(pull(7, List.of(), List.of(), 2_000)).containsExactly(7L);
  }

  /** Nobody knows what the dead process had started: a job may be what killed it. */
  @Test
  void restartedWorkerDoesNotSayThatItsDeadProcessNeverReceivedAnExecution() {
    leases.grant(7, "worker-1", numberOf(1, 5), 0);

    assertThat(pull(numberOf(2, 1), List.of(), List.of(), 1_000)).isEmpty();
    assertThat(pull(numberOf(2, 9), List.of(), List.of(), 2_000)).isEmpty();

    assertThat(leases.expired(LEASE)).containsExactly(7L);
  }

  @Test
  void restartedWorkerRenewsWhatItStillHolds() {
    leases.grant(7, "worker-1", numberOf(1, 5), 0);

    pull(numberOf(2, 1), List.of(7L), List.of(), 10_000);

    assertThat(leases.expired(10_000 + LEASE - 1)).isEmpty();
  }

  @Test
  void restartedWorkerSaysWhatItNeverReceivedItself() {
    leases.grant(7, "worker-1", numberOf(2, 1), 0);

    assertThat(pull(numberOf(2, 2), List.of(), List.of(), 1_000)).containsExactly(7L);
  }

  /** Its last pull may be heard after the first of the next process. */
  @Test
  void pullOfADeadProcessSaysNothingOfTheNextOne() {
    leases.grant(7, "worker-1", numberOf(2, 1), 0);

    assertThat(pull(numberOf(1, 9), List.of(), List.of(), 1_000)).isEmpty();
  }

  /** Also without process numbers that rise, as when a machine's clock was set back. */
  @Test
  void processOfALowerNumberSaysNothingOfTheOneBeforeIt() {
    leases.grant(7, "worker-1", numberOf(5, 1), 0);

    assertThat(pull(numberOf(4, 2), List.of(), List.of(), 1_000)).isEmpty();
  }

  @Test
  void adoptedExecutionOfAWorkerThatMayHaveRestartedRunsOut() {
    leases.adopt(7, "worker-1", 500, false, 0);

    assertThat(pull(numberOf(3, 9), List.of(), List.of(), 1_000)).isEmpty();

    assertThat(leases.expired(LEASE)).containsExactly(7L);
  }

  private static long numberOf(long process, long count) {
    return PullRequest.before(process) + count;
  }

  @Test
  void adoptedExecutionHasAWholeLease() {
    leases.adopt(7, "worker-1", 500, false, 100);

    assertThat(leases.expired(100 + LEASE - 1)).isEmpty();
    assertThat(leases.expired(100 + LEASE)).containsExactly(7L);
  }

  /** Its pull went to the owner before and may be any of those that are still open. */
  @Test
  void adoptedExecutionMayYetBeReceivedWhileAnyEarlierPullIsWaitedFor() {
    leases.adopt(7, "worker-1", 500, false, 0);

    assertThat(pull(9, List.of(), List.of(4L), 1_000)).isEmpty();
    assertThat(pull(10, List.of(), List.of(), 2_000)).containsExactly(7L);
  }

  @Test
  void adoptingWhatIsLeasedAlreadyChangesNothing() {
    leases.grant(7, "worker-1", 3, 0);

    assertThat(leases.adopt(7, "worker-1", 500, false, 10_000)).isFalse();

    assertThat(leases.expired(LEASE)).containsExactly(7L);
  }

  @Test
  void endedLeaseIsGone() {
    leases.grant(7, "worker-1", 1, 0);
    leases.grant(8, "worker-1", 1, 0);

    leases.end(List.of(7L, 99L));

    assertThat(leases.size()).isEqualTo(1);
    assertThat(leases.expired(LEASE)).containsExactly(8L);
    assertThat(pull(2, List.of(), List.of(), 1)).containsExactly(8L);
  }

  @Test
  void expiredLeaseStaysUntilItIsEnded() {
    leases.grant(7, "worker-1", 1, 0);

    assertThat(leases.expired(LEASE)).hasSize(1);
    assertThat(leases.expired(LEASE)).hasSize(1);
  }

  @Test
  void everyLeaseStartsAnewWhenTheTrackerItselfWasLate() {
    leases.grant(7, "worker-1", 1, 0);
    leases.grant(8, "worker-2", 1, 5_000);

    leases.extendAll(60_000);

    assertThat(leases.expired(60_000 + LEASE - 1)).isEmpty();
    assertThat(leases.expired(60_000 + LEASE)).hasSize(2);
  }

  @Test
  void workerIsToldWhichOfItsExecutionsAreToStop() {
    leases.grant(7, "worker-1", 1, 0);
    leases.grant(8, "worker-1", 1, 0);

    leases.requestStop(List.of(8L, 99L));

    assertThat(leases.stopRequested(List.of(7L, 8L, 99L))).containsExactly(8L);
  }

  @Test
  void stopThatWasRequestedOfAnEarlierOwnerIsTold() {
    leases.adopt(7, "worker-1", 500, true, 0);

    assertThat(leases.stopRequested(List.of(7L))).containsExactly(7L);
  }

  @Test
  void whatWasAdoptedWasNeverReceivedByAProcessThatWasThereBeforeTheClaim() {
    long pull = PullRequest.before(3) + 5;
    leases.adopt(7, "worker-1", 500, false, 0);

    assertThat(leases.renew("worker-1", pull, List.of(), List.of(), 501, 10)).isEmpty();
    assertThat(leases.renew("worker-1", pull + 1, List.of(), List.of(pull), 500, 20)).isEmpty();
    assertThat(leases.renew("worker-1", pull + 2, List.of(), List.of(), 500, 30))
        .containsExactly(7L);
  }

  private List<Long> pull(long number, List<Long> held, List<Long> earlierOpen, long now) {
    return leases.renew("worker-1", number, held, earlierOpen, Long.MAX_VALUE, now);
  }
}
