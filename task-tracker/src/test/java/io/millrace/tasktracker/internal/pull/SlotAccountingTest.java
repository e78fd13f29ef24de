package io.millrace.tasktracker.internal.pull;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class SlotAccountingTest {
  private final SlotAccounting ledger = new SlotAccounting(10, 0);

  @Test
  void aPullReservesEveryFreeSlot() {
    long pull = ledger.openWithFreeSlots();

    assertThat(ledger.reservedBy(pull)).isEqualTo(10);
    assertThat(ledger.free()).isZero();
  }

  @Test
  void unassignedSlotsComeBackWithTheAnswer() {
    long pull = ledger.openWithFreeSlots();

    assertThat(ledger.answered(pull, 3, null)).isEqualTo(3);

    assertThat(ledger.running()).isEqualTo(3);
    assertThat(ledger.free()).isEqualTo(7);
    assertThat(ledger.openPulls()).isEmpty();
  }

  @Test
  void anAnswerNeverStartsMoreThanItsPullReserved() {
    long pull = ledger.openWithFreeSlots();

    assertThat(ledger.answered(pull, 12, null)).isEqualTo(10);
  }

  @Test
  void carriedSlotsBelongToTheNewerPull() {
    long older = ledger.openWithFreeSlots();
    long newer = ledger.openHeartbeat();

    ledger.answered(older, 4, newer);

    assertThat(ledger.reservedBy(newer)).isEqualTo(6);
    assertThat(ledger.free()).isZero();
  }

  @Test
  void slotsCarriedToAPullThatIsNotOpenComeBack() {
    long older = ledger.openWithFreeSlots();
    long newer = ledger.openHeartbeat();
    ledger.answered(newer, 0, null);

    ledger.answered(older, 4, newer);

    assertThat(ledger.free()).isEqualTo(6);
  }

  @Test
  void slotsCarriedToAnOlderPullOrToTheSameComeBack() {
    long older = ledger.openWithFreeSlots();
    long newer = ledger.openHeartbeat();
    ledger.giveUp(older);
    long newest = ledger.openWithFreeSlots();

    ledger.answered(newest, 0, newer);

    assertThat(ledger.free()).isEqualTo(10);
    assertThat(ledger.reservedBy(newer)).isZero();
  }

  @Test
  void newerAnswerThatOvertakesTheOlderOneRunsInItsSlots() {
    long older = ledger.openWithFreeSlots();
    long newer = ledger.openHeartbeat();

    assertThat(ledger.answered(newer, 7, null)).isEqualTo(7);
    assertThat(ledger.answered(older, 3, newer)).isEqualTo(3);

    assertThat(ledger.running()).isEqualTo(10);
    assertThat(ledger.free()).isZero();
  }

  @Test
  void olderAnswerNeverRunsInSlotsOfANewerPull() {
    long older = ledger.openWithFreeSlots();
    ledger.answered(older, 4, null);
    long newer = ledger.openHeartbeat();
    long newest = ledger.openWithFreeSlots();

    assertThat(ledger.answered(newer, 1, null)).isZero();
    assertThat(ledger.reservedBy(newest)).isEqualTo(6);
  }

  @Test
  void answerToAGivenUpPullStartsNothing() {
    long pull = ledger.openWithFreeSlots();
    ledger.giveUp(pull);

    assertThat(ledger.answered(pull, 4, null)).isZero();
    assertThat(ledger.free()).isEqualTo(10);
  }

  @Test
  void secondAnswerToAPullStartsNothing() {
    long pull = ledger.openWithFreeSlots();
    ledger.answered(pull, 4, null);

    assertThat(ledger.answered(pull, 4, null)).isZero();
    assertThat(ledger.running()).isEqualTo(4);
  }

  @Test
  void givingUpTwiceFreesSlotsOnce() {
    long pull = ledger.openWithFreeSlots();

    assertThat(ledger.giveUp(pull)).isTrue();
    assertThat(ledger.giveUp(pull)).isFalse();
    assertThat(ledger.free()).isEqualTo(10);
  }

  @Test
  void anEndWithoutAStartIsAnError() {
    assertThatIllegalStateException().isThrownBy(ledger::ended);
  }
}
