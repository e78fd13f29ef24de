package io.millrace.jobtracker.group.preload;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.LOOK_AHEAD;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.MISFIRE_THRESHOLD;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.domain.waiting.PriorityOrder;
import io.millrace.jobtracker.domain.waiting.WaitingHead;
import io.millrace.jobtracker.engine.EngineListener;
import io.millrace.jobtracker.fixture.CountedReads;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PreLoadDutyTest extends ServiceTest {
  private static final int CAPACITY = 2_000;
  private static final Duration PERIOD = Duration.ofSeconds(2);

  private final WaitingHead head =
      new WaitingHead(CAPACITY, 64 << 20, CAPACITY, MISFIRE_THRESHOLD, PriorityOrder.STRICT);
  private final CountedReads reads = new CountedReads();
  private PreLoadDuty duty;

  @BeforeEach
  void makeDuty() {
    PreLoader preLoader =
        new PreLoader(
            HandDrivenTracker.memory(head).heads().plain(),
            reads.around(stores),
            HandDrivenTracker.sweep(stores, new IdSequence(1, 0), tracker.signals()),
            time.timedExecutor(),
            new PreLoader.Ahead(LOOK_AHEAD, Duration.ZERO),
            () -> {},
            () -> {});
    duty =
        new PreLoadDuty(
            preLoader, HandDrivenTracker.GROUP, time.timedExecutor(), PERIOD, EngineListener.NONE);
  }

  /** As claims wake it: whenever the deque runs low. */
  @Test
  void drainOfABacklogReadsEachRowAboutOnceAndInOrder() {
    int jobs = 10_000;
    insertDue(1, jobs);
    duty.runOnce(time.millis());
    List<Long> drained = new ArrayList<>();
    while (drained.size() < jobs) {
      List<Long> ids = claim(256);
      assertThat(ids).isNotEmpty();
      drained.addAll(ids);
      if (head.wantsLoad()) {
        duty.runOnce(time.millis());
      }
    }

    assertThat(drained).isSorted().doesNotHaveDuplicates().hasSize(jobs);
    assertThat(reads.rows() / (double) jobs).as("rows read for each job").isLessThan(1.1);
    assertThat(reads.statements()).isLessThan(40);
  }

  @Test
  void headIsReadInFullOnceInAPeriodHoweverOftenTheDequeRunsLow() {
    insertDue(1_000, 20_000);
    duty.runOnce(time.millis());
    claim(CAPACITY * 2 / 3);
    insertUrgent(5);

    duty.runOnce(time.millis());
    assertThat(first()).as("behind what memory holds there is no such row").isEqualTo(100);

    claim(CAPACITY * 2 / 3);
    time.pass(PERIOD);
    duty.runOnce(time.millis());
    assertThat(first()).isEqualTo(1);
  }

  @Test
  void headIsReadInFullWhenSomethingWasStoredElsewhere() {
    insertDue(1_000, 20_000);
    duty.runOnce(time.millis());
    claim(CAPACITY * 2 / 3);
    insertUrgent(5);

    head.wantFullLoad();
    duty.runOnce(time.millis());

    assertThat(first()).isEqualTo(1);
  }

  @Test
  void headIsReadInFullWhenNothingIsWantedAtAll() {
    duty.runOnce(time.millis());
    insertUrgent(5);

    duty.runOnce(time.millis());

    assertThat(first()).isEqualTo(1);
  }

  private int first() {
    WaitingTrigger first = head.takeForClaim(time.millis(), time.millis());
    assertThat(first).isNotNull();
    return first.priority();
  }

  private List<Long> claim(int count) {
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      WaitingTrigger taken = head.takeForClaim(time.millis(), time.millis());
      if (taken != null) {
        ids.add(taken.id());
      }
    }
    stores.waiting().delete(GROUP, ids);
    head.settle(ids);
    return ids;
  }

  private void insertDue(long firstId, int count) {
    stores
        .waiting()
        .insert(
            GROUP,
            LongStream.range(firstId, firstId + count)
                .mapToObj(id -> SampleTriggers.oneShot(id, 100, time.millis() - 5 + id / 7_000))
                .toList());
  }

  private void insertUrgent(long id) {
    stores.waiting().insert(GROUP, List.of(SampleTriggers.oneShot(id, 1, time.millis())));
  }
}
