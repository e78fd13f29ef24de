package io.millrace.jobtracker.group.preload;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.DEQUE_CAPACITY;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.LOOK_AHEAD;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.MISFIRE_THRESHOLD;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.domain.waiting.PriorityOrder;
import io.millrace.jobtracker.domain.waiting.WaitingHead;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Far more triggers fall due at one instant than memory may hold. */
class BurstTest extends ServiceTest {
  private static final int BULK = 30_000;
  private static final Duration UNTIL_THE_BURST = Duration.ofSeconds(3);
  private static final int CLAIM = 256;

  @BeforeEach
  void insertBulk() {
    StoredParams params = new StoredParams(1_009, "{\"of\":\"" + "x".repeat(1_000) + "\"}");
    long dueAt = time.millis() + UNTIL_THE_BURST.toMillis();
    stores.waiting().insert(GROUP, List.of(SampleTriggers.oneShot(1, 200, dueAt, params)));
    byHand(
        """
        INSERT INTO jt_waiting_orders
        SELECT id + x, CONCAT('bulk-', x), planned_at, ordinal, job_id, job_version, planned_for,
          due_at, priority, attempt, generated_at, spec, params_bytes, params, begun,
          submission_id, submitted_by, replay_of, next_at, lane, stick_to
        FROM jt_waiting_orders CROSS JOIN %s WHERE id = 1"""
            .formatted(numbers(BULK - 1)));
  }

  @Test
  void memoryHoldsNoMoreThanItMayBeforeAtAndAfterTheInstant() {
    int capacity = 2_000;
    int maxAhead = 3_000;
    long maxBytes = 4 << 20;
    WaitingHead head =
        new WaitingHead(capacity, maxBytes, maxAhead, MISFIRE_THRESHOLD, PriorityOrder.STRICT);
    List<Integer> wakes = new ArrayList<>();
    PreLoader loader =
        new PreLoader(
            HandDrivenTracker.memory(head).heads().plain(),
            stores,
            HandDrivenTracker.sweep(stores, new IdSequence(1, 0), tracker.signals()),
            time.timedExecutor(),
            new PreLoader.Ahead(LOOK_AHEAD, Duration.ZERO),
            () -> wakes.add(head.dueCount()),
            () -> {});

    loader.runOnce(time.millis());
    assertThat(head.dueCount()).isZero();
    assertThat(head.aheadCount()).isBetween(1, maxAhead);
    assertThat(head.bytes()).isBetween(maxBytes / 2, maxBytes);

    time.pass(UNTIL_THE_BURST);
    assertThat(wakes).as("one for all of them").hasSize(1);
    assertThat(head.aheadCount()).isZero();
    int taken = 0;
    while (taken < 3 * capacity) {
      assertThat(head.dueCount()).isBetween(1, capacity);
      assertThat(head.bytes()).isLessThanOrEqualTo(maxBytes);
      taken += takeSome(head);
      loader.runOnce(time.millis());
    }
    assertThat(head.wantsLoad() || head.hasDue()).as("the rest is not forgotten").isTrue();
  }

  private int takeSome(WaitingHead head) {
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < CLAIM; i++) {
      WaitingTrigger taken = head.takeForClaim(time.millis(), time.millis());
      if (taken != null) {
        ids.add(taken.id());
      }
    }
    assertThat(stores.waiting().delete(GROUP, ids)).as("each of them once").isEqualTo(ids.size());
    head.settle(ids);
    return ids.size();
  }

  @Test
  void triggerOfAHigherPriorityThatComesLaterGoesWithTheNextClaimAfterOneLoad() {
    time.pass(UNTIL_THE_BURST);
    HandDrivenWorker worker = tracker.worker("worker-1");
    assertThat(worker.take(CLAIM)).hasSize(CLAIM);
    assertThat(tracker.group().head().dueCount()).isEqualTo(DEQUE_CAPACITY - CLAIM);
    for (int i = 0; i < 5; i++) {
      tracker.submit(job("urgent-" + i).priority(1).build());
      assertThat(tracker.signals().triggersDue()).as("what wakes the loader").contains(millis());

      tracker.load();

      assertThat(tracker.group().head().dueCount()).isLessThanOrEqualTo(DEQUE_CAPACITY);
      List<Assignment> next = worker.receive(worker.pull(10));
      assertThat(next).hasSize(10);
      assertThat(next.get(0).taskId()).isEqualTo("urgent-" + i);
      assertThat(next.subList(1, 10)).allMatch(bulk -> bulk.taskId().startsWith("bulk-"));
    }
  }

  /** Before the instant it is the same: what is ahead of bulk work does not hide what is urgent. */
  @Test
  void triggerOfAHigherPriorityThatIsDueAtTheSameInstantGoesFirst() {
    tracker.load();
    tracker.submit(job("urgent").at(time.now().plus(UNTIL_THE_BURST)).priority(1).build());
    tracker.load();
    time.pass(UNTIL_THE_BURST);
    HandDrivenWorker worker = tracker.worker("worker-1");

    assertThat(worker.receive(worker.pull(10)).get(0).taskId()).isEqualTo("urgent");
  }

  private long millis() {
    return time.millis();
  }
}
