package io.millrace.tasktracker.internal.pull;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The ledger against answers in any order, late, repeated, oversized or missing. */
class SlotAccountingPropertyTest {

  @Property
  void slotsAlwaysAddUpWhateverAnswersCome(
      @ForAll @IntRange(min = 1, max = 70) int slots,
      @ForAll @IntRange(min = 1, max = 400) int steps,
      @ForAll long seed) {
    Random random = new Random(seed);
    SlotAccounting ledger = new SlotAccounting(slots, 0);
    for (int i = 0; i < steps; i++) {
      stepOfAHostileWorld(ledger, random);
      assertAddsUp(ledger, slots);
    }

    ledger.openPulls().forEach(ledger::giveUp);
    while (ledger.running() > 0) {
      ledger.ended();
    }
    assertThat(ledger.free()).isEqualTo(slots);
  }

  @Property
  void whatIsBeyondTheSlotsComesAndGoesWithoutATrace(
      @ForAll @IntRange(min = 1, max = 70) int slots,
      @ForAll @IntRange(min = 1, max = 400) int steps,
      @ForAll long seed) {
    Random random = new Random(seed);
    SlotAccounting ledger = new SlotAccounting(slots, 0);
    for (int i = 0; i < steps; i++) {
      if (random.nextInt(4) == 0) {
        ledger.setBeyondSlots(random.nextInt(100));
      } else {
        int before = ledger.capacity();
        int freeBefore = ledger.free();
        int reserved = ledger.reservedBy(ledger.openWithFreeSlots());
        assertThat(reserved).isEqualTo(Math.max(0, freeBefore)).isLessThanOrEqualTo(before);
        stepOfAHostileWorld(ledger, random);
      }
      assertThat(ledger.free() + ledger.reserved() + ledger.running()).isEqualTo(ledger.capacity());
    }

    ledger.setBeyondSlots(0);
    ledger.openPulls().forEach(ledger::giveUp);
    while (ledger.running() > 0) {
      ledger.ended();
    }
    assertThat(ledger.free()).isEqualTo(slots);
  }

  private static void stepOfAHostileWorld(SlotAccounting ledger, Random random) {
    long anyNumber = random.nextLong(-1, ledger.lastNumber() + 3);
    switch (random.nextInt(7)) {
      case 0 -> ledger.openWithFreeSlots();
      case 1 -> ledger.openHeartbeat();
      case 2, 3 -> {
        Long carriedTo = random.nextBoolean() ? random.nextLong(0, ledger.lastNumber() + 3) : null;
        ledger.answered(anyNumber, random.nextInt(2 * ledger.capacity()), carriedTo);
      }
      case 4 -> ledger.giveUp(anyNumber);
      case 5 -> {
        if (ledger.running() > 0) {
          ledger.ended();
        }
      }
      default -> {
        if (random.nextInt(20) == 0) {
          ledger.giveUpAll();
        }
      }
    }
  }

  @Property
  void whatATruthfulTrackerAssignsAlwaysStartsInWhateverOrderAnswersArrive(
      @ForAll @IntRange(min = 1, max = 40) int slots,
      @ForAll @IntRange(min = 1, max = 300) int steps,
      @ForAll long seed) {
    Random random = new Random(seed);
    SlotAccounting ledger = new SlotAccounting(slots, 0);
    TruthfulTracker tracker = new TruthfulTracker();
    for (int i = 0; i < steps; i++) {
      switch (random.nextInt(4)) {
        case 0 -> tracker.pulled(ledger.openWithFreeSlots(), ledger, random);
        case 1 -> tracker.answerParked(random.nextInt(4), null);
        case 2 -> tracker.deliverOne(ledger, random);
        default -> {
          if (ledger.running() > 0) {
            ledger.ended();
          }
        }
      }
      assertAddsUp(ledger, slots);
    }

    tracker.answerParked(0, null);
    while (tracker.deliverOne(ledger, random)) {
      assertAddsUp(ledger, slots);
    }
    assertThat(ledger.openPulls()).isEmpty();
    assertThat(ledger.free() + ledger.running()).isEqualTo(slots);
  }

  private static void assertAddsUp(SlotAccounting ledger, int slots) {
    assertThat(ledger.free() + ledger.reserved() + ledger.running()).isEqualTo(slots);
    assertThat(ledger.free()).isNotNegative();
    assertThat(ledger.running()).isBetween(0, slots);
    assertThat(ledger.openPulls()).allMatch(number -> ledger.reservedBy(number) >= 0);
  }

  /** Parks one pull, carries its slots to the next, and never assigns more than it was given. */
  private static final class TruthfulTracker {
    private record Answer(long number, int assigned, Long carriedTo) {}

    private final List<Answer> onTheWay = new ArrayList<>();
    private long parked;
    private int parkedSlots;

    void pulled(long number, SlotAccounting ledger, Random random) {
      int carried = answerParked(random.nextInt(3), number);
      parked = number;
      parkedSlots = ledger.reservedBy(number) + carried;
    }

    /** Returns how many slots the answer leaves. */
    int answerParked(int due, Long carriedTo) {
      if (parked == 0) {
        return 0;
      }
      int assigned = Math.min(due, parkedSlots);
      onTheWay.add(new Answer(parked, assigned, carriedTo));
      parked = 0;
      return parkedSlots - assigned;
    }

    boolean deliverOne(SlotAccounting ledger, Random random) {
      if (onTheWay.isEmpty()) {
        return false;
      }
      Answer answer = onTheWay.remove(random.nextInt(onTheWay.size()));
      int started = ledger.answered(answer.number(), answer.assigned(), answer.carriedTo());
      assertThat(started).isEqualTo(answer.assigned());
      return true;
    }
  }
}
