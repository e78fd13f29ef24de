package io.millrace.jobtracker.domain.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WaitingHeadTest {
  private static final long THRESHOLD = 60;
  private static final long AHEAD = 30;

  private final WaitingHead head = head(4, 1 << 20, 3);

  @Test
  void dueRowsAreHandedOutInOrderAndOnceEach() {
    load(10, true, row(1, 10), row(2, 5));

    assertThat(take()).isEqualTo(2);
    assertThat(take()).isEqualTo(1);
    assertThat(head.takeForClaim(10, 10)).isNull();
  }

  @Test
  void backlogIsToldWhileMemoryHoldsAllOfIt() {
    assertThat(head.backlog(10)).as("nothing was read yet").isEmpty();

    load(10, true, row(1, 7), row(2, 5), row(3, 11));

    assertThat(head.backlog(10)).contains(new Backlog(2, 5));
    take();
    assertThat(head.backlog(10)).contains(new Backlog(1, 7));
    take();
    assertThat(head.backlog(10)).contains(Backlog.NONE);
  }

  @Test
  void backlogIsNotToldWhereTheStoreMayHoldMore() {
    load(10, false, row(1, 7));
    assertThat(head.backlog(10)).as("the store holds more").isEmpty();

    load(10, true, row(1, 7));
    head.wantFullLoad();
    assertThat(head.backlog(10)).as("rows were stored that nobody here knows").isEmpty();

    load(10, true, row(1, 7));
    assertThat(head.backlog(10)).isPresent();
    head.beginLoad().abandon();
    assertThat(head.backlog(10)).as("the store could not be read").isEmpty();
  }

  @Test
  void rowsNotYetDueAreHandedOutOnlyOnceTheyAre() {
    assertThat(load(10, true, row(1, 11))).containsExactly(row(1, 11));
    assertThat(head.takeForClaim(10, 10)).isNull();

    head.fallDue(11);

    assertThat(take()).isEqualTo(1);
  }

  @Test
  void rowsKnownAsAheadAreNotPutOnTheWheelAgain() {
    load(10, true, row(1, 11));

    assertThat(load(10, true, row(1, 11))).isEmpty();
    assertThat(head.aheadCount()).isEqualTo(1);
  }

  @Test
  void claimedRowIsNotLoadedAgainBeforeItsOutcome() {
    load(10, true, row(1, 10));
    take();

    load(10, true, row(1, 10));

    assertThat(head.hasDue()).isFalse();
  }

  @Test
  void loadThatBeganBeforeTheOutcomeDoesNotBringTheRowBack() {
    load(10, true, row(1, 10));
    take();
    LoadSession load = head.beginLoad();

    head.settle(List.of(1L));
    load.end(List.of(row(1, 10)), true, 10);

    assertThat(head.hasDue()).isFalse();
  }

  @Test
  void loadThatBeginsAfterTheOutcomeIsBelieved() {
    load(10, true, row(1, 10));
    take();
    head.settle(List.of(1L));

    load(10, true, row(1, 10));

    assertThat(take()).isEqualTo(1);
  }

  @Test
  void rowWhoseClaimDidNotHappenIsHandedOutAgain() {
    load(10, true, row(1, 10));
    take();

    assertThat(head.putBack(List.of(1L), 10)).isEmpty();

    assertThat(take()).isEqualTo(1);
    assertThat(head.takeForClaim(10, 10)).isNull();
  }

  @Test
  void puttingBackWhatWasNotTakenDoesNothing() {
    assertThat(head.putBack(List.of(7L), 10)).isEmpty();

    assertThat(head.hasDue()).isFalse();
  }

  @Test
  void rowThatFallsDueSoonIsTakenAheadInTheOrderOfTime() {
    load(10, true, row(1, 15), row(2, 12), row(3, 40));
    assertThat(head.hasDueUntil(11)).isFalse();
    assertThat(head.takeForClaim(10, 11)).isNull();

    assertThat(head.hasDueUntil(20)).isTrue();
    assertThat(head.takeForClaim(10, 20)).isEqualTo(row(2, 12));
    assertThat(head.takeForClaim(10, 20)).isEqualTo(row(1, 15));
    assertThat(head.takeForClaim(10, 20)).isNull();

    head.fallDue(20);
    assertThat(head.takeForClaim(20, 20)).as("a claim has it").isNull();
  }

  @Test
  void rowTakenAheadGoesBackToWhereItBelongs() {
    load(10, true, row(1, 12), row(2, 15));
    head.takeForClaim(10, 20);
    head.takeForClaim(10, 20);

    assertThat(head.putBack(List.of(1L, 2L), 13)).containsExactly(15L);

    assertThat(head.takeForClaim(13, 13)).isEqualTo(row(1, 12));
    assertThat(head.takeForClaim(13, 13)).isNull();
    head.fallDue(15);
    assertThat(head.takeForClaim(15, 15)).isEqualTo(row(2, 15));
  }

  /** Whoever was to wake it may have been refused by its executor. */
  @Test
  void rowThatNobodyWokeIsFoundDueByTheNextLoad() {
    load(10, true, row(1, 11));

    load(12, true);

    assertThat(take()).isEqualTo(1);
  }

  @Test
  void wakingARowThatALoadHasFoundDueAlreadyDoesNothing() {
    load(10, true, row(1, 11));
    load(12, true, row(1, 11));
    assertThat(take()).isEqualTo(1);

    head.fallDue(12);

    assertThat(head.hasDue()).isFalse();
  }

  @Test
  void rowsAheadAreBounded() {
    load(10, true, row(1, 20), row(2, 20), row(3, 20), row(4, 20));

    assertThat(head.aheadCount()).isEqualTo(3);
  }

  @Test
  void rowsAheadAreBoundedInBytes() {
    WaitingHead small = head(100, 4_000, 100);
    List<WaitingTrigger> added =
        small
            .beginLoad()
            .end(LongStream.range(0, 50).mapToObj(id -> row(id, 20 + id)).toList(), true, 10);

    assertThat(added).hasSize(7).hasSize(small.aheadCount());
    assertThat(small.bytes()).isLessThanOrEqualTo(4_000);
    small.fallDue(100);
    assertThat(small.bytes()).isLessThanOrEqualTo(4_000);
  }

  /** Rows far ahead, or of bulk work, must not keep what is due sooner, or more urgent, out. */
  @Test
  void ofTooManyRowsAheadTheEarliestAndMostUrgentStay() {
    load(10, true, row(1, 20), row(2, 30), row(3, 30));

    assertThat(load(10, true, row(4, 15))).containsExactly(row(4, 15));
    assertThat(load(10, true, SampleTriggers.oneShot(5, 1, 30))).hasSize(1);
    assertThat(load(10, true, row(6, 31))).isEmpty();

    head.fallDue(30);
    assertThat(List.of(take(), take(), take())).containsExactly(5L, 4L, 1L);
  }

  @Test
  void loadIsWantedWhenThereWereTooManyRowsAheadAndTheyRunLow() {
    WaitingHead wide = head(100, 1 << 20, 6);
    wide.beginLoad()
        .end(LongStream.rangeClosed(1, 7).mapToObj(id -> row(id, 10 + id)).toList(), true, 10);
    wide.fallDue(13);
    assertThat(wide.wantsLoad()).as("half full").isFalse();
    wide.fallDue(14);
    assertThat(wide.wantsLoad()).as("runs low").isTrue();

    wide.beginLoad().end(List.of(row(7, 17)), true, 14);
    assertThat(wide.wantsLoad()).as("there are no more").isFalse();
  }

  @Test
  void loadReadsPastTheRowsThatAClaimIsDecidingOn() {
    load(10, true, row(1, 10), row(2, 10));
    take();
    take();

    assertThat(head.beginLoad().bounds()).isEqualTo(new LoadSession.Bounds(6, 5));
  }

  @Test
  void loadIsWantedWhileTheDequeRunsLowAndTheStoreMayHoldMore() {
    assertThat(head.wantsLoad()).as("nothing was loaded yet").isTrue();
    load(10, false, row(1, 1), row(2, 1));
    assertThat(head.wantsLoad()).as("half full").isFalse();
    take();
    assertThat(head.wantsLoad()).as("runs low").isTrue();
    LoadSession load = head.beginLoad();
    assertThat(head.wantsLoad()).as("one is under way").isFalse();
    load.end(List.of(), true, 10);
    assertThat(head.wantsLoad()).as("the store held no more").isFalse();
  }

  @Test
  void rowThatHadToLeaveTheDequeIsStillInTheStore() {
    load(10, true, row(1, 1), row(2, 2), row(3, 3), row(4, 4), row(5, 5));
    for (int i = 0; i < 3; i++) {
      take();
    }

    assertThat(head.dueCount()).isEqualTo(1);
    assertThat(head.wantsLoad()).isTrue();
  }

  @Test
  void triggerIsHandedOutUpToTheMillisecondOfTheThreshold() {
    load(100, true, planned(1, 100));

    assertThat(head.takeForClaim(100 + THRESHOLD, 100 + THRESHOLD)).isEqualTo(planned(1, 100));
  }

  @Test
  void triggerThatWasMissedMeanwhileLeavesAndALoadIsWanted() {
    load(101, true, planned(1, 100), planned(2, 101));
    assertThat(head.wantsLoad()).isFalse();

    WaitingTrigger taken = head.takeForClaim(100 + THRESHOLD + 1, 100 + THRESHOLD + 1);

    assertThat(taken).as("the one that is in time").isEqualTo(planned(2, 101));
    assertThat(head.hasDue()).isFalse();
    assertThat(head.wantsLoad()).isTrue();
    head.beginLoad().end(List.of(), true, 200);
    assertThat(head.wantsLoad()).as("there was one").isFalse();
  }

  @Test
  void triggerIsHandedOutUpToTheMillisecondBeforeTheNextFireTimeOfItsJob() {
    WaitingTrigger trigger = SampleTriggers.planned(1, 100, 100, 110L);
    load(100, true, trigger);

    assertThat(head.takeForClaim(109, 109)).isEqualTo(trigger);
    assertThat(head.missedInClaim(List.of(1L), 109)).isEmpty();
    assertThat(head.missedInClaim(List.of(1L), 110)).containsExactly(1L);
    assertThat(head.putBack(List.of(1L), 110)).isEmpty();
    assertThat(head.takeForClaim(110, 110)).isNull();
    assertThat(head.wantsLoad()).isTrue();
  }

  @Test
  void missedTriggerThatNobodyDecidedOnStaysOut() {
    long now = 101 + THRESHOLD;

    assertThat(undecided(now, planned(1, 100), planned(2, 101), row(3, 1)))
        .containsExactly(planned(1, 100));
    load(now, true, planned(1, 100), planned(2, 101));

    assertThat(head.dueCount()).isEqualTo(1);
  }

  @Test
  void missedTriggerThatMayRunIsHandedOutAsLongAsItMay() {
    loadAllowing(1_000, planned(1, 100));
    assertThat(undecided(1_000, planned(1, 100))).isEmpty();
    assertThat(undecided(1_001, planned(1, 100))).hasSize(1);

    assertThat(head.takeForClaim(1_000, 1_000)).isEqualTo(planned(1, 100));
    head.putBack(List.of(1L), 1_000);
    assertThat(head.takeForClaim(1_001, 1_001)).isNull();
  }

  @Test
  void skippedTriggerLeavesMemoryAndDoesNotComeBackWithTheLoadThatReadIt() {
    load(100, true, planned(1, 100), planned(2, 100));
    LoadSession load = head.beginLoad();

    load.decided(List.of(1L), Map.of(2L, 1_000L));
    load.end(List.of(planned(1, 100), planned(2, 100)), true, 300);

    assertThat(head.takeForClaim(300, 300)).isEqualTo(planned(2, 100));
    assertThat(head.takeForClaim(300, 300)).isNull();
  }

  @Test
  void triggerInAClaimIsNotDecidedOn() {
    load(100, true, planned(1, 100));
    head.takeForClaim(100, 100);

    assertThat(undecided(1_000, planned(1, 100))).isEmpty();
  }

  @Test
  void permissionEndsWithTheRow() {
    loadAllowing(1_000, planned(1, 100));
    head.takeForClaim(500, 500);
    head.settle(List.of(1L));

    assertThat(undecided(500, planned(1, 100))).hasSize(1);
  }

  @Test
  void secondLoadBesideAFirstIsAnError() {
    head.beginLoad();

    assertThatThrownBy(head::beginLoad).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void loadThatFailedMakesRoomForTheNext() {
    head.beginLoad().abandon();

    load(10, true, row(1, 1));

    assertThat(take()).isEqualTo(1);
  }

  @Test
  void committedRowIsHandedOutWithoutALoad() {
    load(10, true);

    assertThat(enter(10, row(2, 10), row(1, 9))).isEmpty();

    assertThat(List.of(take(), take())).containsExactly(1L, 2L);
    assertThat(head.wantsLoad()).isFalse();
  }

  @Test
  void beforeTheFirstLoadNothingThatWasCommittedEnters() {
    assertThat(enter(10, row(1, 10), row(2, 15))).isEmpty();

    assertThat(head.hasDue()).isFalse();
    assertThat(head.aheadCount()).isZero();
    assertThat(head.wantsLoad()).isTrue();
  }

  @Test
  void committedRowDoesNotOvertakeTheRowsThatAreInTheStoreAlone() {
    load(10, false, row(1, 1), row(2, 2));

    enter(10, row(9, 9), urgent(8, 10));

    assertThat(head.dueCount()).isEqualTo(3);
    assertThat(List.of(take(), take(), take())).containsExactly(8L, 1L, 2L);
    assertThat(head.wantsLoad()).as("the other is in the store").isTrue();
  }

  @Test
  void whatLeavesForACommittedRowIsNotOvertakenEither() {
    load(10, true, row(1, 1), row(2, 2), row(3, 3), row(4, 4));

    enter(10, urgent(8, 10));
    take();
    enter(10, row(9, 9));
    enter(10, row(5, 3));

    assertThat(List.of(take(), take(), take(), take())).containsExactly(1L, 2L, 3L, 5L);
    assertThat(head.hasDue()).isFalse();
    assertThat(head.wantsLoad()).isTrue();
  }

  @Test
  void committedRowThatIsKnownDoesNotEnterAgain() {
    load(10, true, row(1, 10), row(2, 10), row(3, 20));
    take();

    assertThat(enter(10, row(1, 10), row(2, 10), row(3, 20))).isEmpty();

    assertThat(head.dueCount()).isEqualTo(1);
    assertThat(head.aheadCount()).isEqualTo(1);
  }

  @Test
  void rowThatEntersDuringALoadIsThereOnceWhetherTheLoadSawItOrNot() {
    load(10, true);
    LoadSession load = head.beginLoad();
    enter(10, row(1, 10), row(2, 10));

    load.end(List.of(row(1, 10)), true, 10);

    assertThat(List.of(take(), take())).containsExactly(1L, 2L);
    assertThat(head.hasDue()).isFalse();
  }

  @Test
  void rowThatEnteredAndEndedDuringALoadDoesNotComeBackWithIt() {
    load(10, true);
    LoadSession load = head.beginLoad();
    enter(10, row(1, 10));
    take();
    head.settle(List.of(1L));

    enter(10, row(1, 10));
    load.end(List.of(row(1, 10)), true, 10);

    assertThat(head.hasDue()).isFalse();
  }

  /** The load may have read before it was committed: then nobody else looks for it. */
  @Test
  void rowThatIsLeftToTheStoreDuringALoadIsNotTakenForReadByIt() {
    load(10, false, row(1, 1));
    LoadSession load = head.beginLoad();
    enter(10, row(9, 9));

    load.end(List.of(row(1, 1)), true, 10);

    assertThat(head.wantsLoad()).isTrue();
    enter(10, row(10, 9));
    assertThat(head.dueCount()).as("it would overtake row 9").isEqualTo(1);
  }

  @Test
  void committedRowThatFallsDueSoonIsToBePutOnTheWheel() {
    load(10, true);

    assertThat(enter(10, row(1, 15), row(2, 40), row(3, 41)))
        .containsExactly(row(1, 15), row(2, 40));

    head.fallDue(15);
    assertThat(head.takeForClaim(15, 15)).isEqualTo(row(1, 15));
    assertThat(head.aheadCount()).isEqualTo(1);
  }

  @Test
  void committedRowsAheadAreBoundedAndOvertakeNothing() {
    load(10, true, row(1, 20), row(2, 20), row(3, 30));

    assertThat(enter(10, row(4, 15))).containsExactly(row(4, 15));
    assertThat(enter(10, row(5, 31))).as("behind row 3, which had to leave").isEmpty();
    assertThat(enter(10, row(6, 32), row(7, 12))).containsExactly(row(7, 12));
    assertThat(head.aheadCount()).isEqualTo(3);

    head.fallDue(30);
    assertThat(enter(30, row(8, 30))).isEmpty();
    assertThat(head.dueCount()).as("row 3 is due, and not in memory").isEqualTo(3);
    assertThat(head.wantsLoad()).isTrue();
  }

  @Test
  void committedRowThatWasMissedWaitsForADecision() {
    load(10, true);

    enter(101 + THRESHOLD, planned(1, 100), planned(2, 101));

    assertThat(head.dueCount()).isEqualTo(1);
    assertThat(head.wantsLoad()).isTrue();
  }

  @Test
  void whatFallsDueInMemoryGoesBesideTheBacklogOfItsPriority() {
    load(10, false, row(1, 1), row(2, 2), row(3, 12));

    assertThat(enter(10, row(4, 13))).as("it falls due in memory").hasSize(1);
    assertThat(enter(10, SampleTriggers.oneShot(5, 101, 13)))
        .as("higher priorities are in the store alone")
        .isEmpty();

    head.fallDue(13);
    assertThat(List.of(take(), take(), take(), take())).containsExactly(3L, 4L, 1L, 2L);
  }

  @Test
  void timelyRowWhoseClaimDidNotHappenGoesBackToItsLane() {
    load(10, false, row(1, 1), row(2, 12));
    assertThat(head.takeForClaim(12, 12)).isEqualTo(row(2, 12));

    head.putBack(List.of(2L), 12);

    assertThat(List.of(take(), take())).containsExactly(2L, 1L);
  }

  @Test
  void whatWaitsForItsTurnDoesNotEnter() {
    load(10, true);

    assertThat(enter(10, row(1, WaitingTrigger.HELD))).isEmpty();

    assertThat(head.aheadCount()).isZero();
  }

  @Test
  void largeParametersOfCommittedRowsStayInTheStore() {
    load(10, true);
    StoredParams small = new StoredParams(2, "{}");
    StoredParams large = new StoredParams(5_000, "x".repeat(5_000));

    enter(10, SampleTriggers.oneShot(1, 100, 10, small), SampleTriggers.oneShot(2, 100, 10, large));
    enter(10, SampleTriggers.oneShot(3, 100, 11, large));

    assertThat(head.bytes()).isLessThan(3 * 600);
    assertThat(head.takeForClaim(10, 10))
        .isNotNull()
        .extracting(WaitingTrigger::params)
        .isEqualTo(small);
    assertThat(head.takeForClaim(10, 10))
        .isNotNull()
        .extracting(WaitingTrigger::params)
        .isEqualTo(new StoredParams(5_000, null));
  }

  /** Urgent enough to go before every other row here. */
  private static WaitingTrigger urgent(long id, long dueAt) {
    return SampleTriggers.oneShot(id, 1, dueAt);
  }

  private List<WaitingTrigger> enter(long now, WaitingTrigger... rows) {
    return head.enter(List.of(rows), now, now + AHEAD);
  }

  private List<WaitingTrigger> load(long now, boolean complete, WaitingTrigger... rows) {
    return head.beginLoad().end(List.of(rows), complete, now);
  }

  /** Those of the rows that a load would have to decide on; the load then fails. */
  private List<WaitingTrigger> undecided(long now, WaitingTrigger... rows) {
    LoadSession load = head.beginLoad();
    List<WaitingTrigger> undecided = load.undecided(List.of(rows), now);
    load.abandon();
    return undecided;
  }

  private void loadAllowing(long until, WaitingTrigger trigger) {
    LoadSession load = head.beginLoad();
    load.decided(List.of(), Map.of(trigger.id(), until));
    load.end(List.of(trigger), true, 500);
  }

  private static WaitingHead head(int capacity, long maxBytes, int maxAhead) {
    return new WaitingHead(
        capacity, maxBytes, maxAhead, Duration.ofMillis(THRESHOLD), PriorityOrder.STRICT);
  }

  private long take() {
    WaitingTrigger taken = head.takeForClaim(10, 10);
    assertThat(taken).isNotNull();
    return taken.id();
  }

  private static WaitingTrigger row(long id, long dueAt) {
    return SampleTriggers.oneShot(id, 100, dueAt);
  }

  private static WaitingTrigger planned(long id, long at) {
    return SampleTriggers.planned(id, 100, at);
  }
}
