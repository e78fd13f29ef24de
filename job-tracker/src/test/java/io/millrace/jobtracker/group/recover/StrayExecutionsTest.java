package io.millrace.jobtracker.group.recover;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.MISFIRE_THRESHOLD;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.RetryPolicy;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.domain.lease.GapDetector;
import io.millrace.jobtracker.domain.lease.GroupMemory;
import io.millrace.jobtracker.domain.lease.LeaseTable;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.waiting.PriorityOrder;
import io.millrace.jobtracker.domain.waiting.WaitingHead;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.store.TestDatabase;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class StrayExecutionsTest {
  private static final String GROUP = "orders";
  private static final long LEASE = 15_000;

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-21T00:00:00Z"));
  private final TimedExecutor time =
      new TimedExecutor(clock, new ManualTimer(clock), Runnable::run);
  private final LeaseTable leases = new LeaseTable(LEASE, 60_000);

  private Rescuer rescuer(TestDatabase database) {
    return new Rescuer(
        new GroupMemory(
            GROUP,
            1,
            HandDrivenTracker.heads(
                new WaitingHead(16, 1 << 20, 16, MISFIRE_THRESHOLD, PriorityOrder.STRICT)),
            leases),
        database.stores().executing(),
        (group, ends) -> List.of(),
        time,
        new GapDetector(1_000 + LEASE / 2, time.monotonicMillis()),
        LEASE);
  }

  private static Execution claimedAt(long id, long claimedAt) {
    TriggerSpec spec = new TriggerSpec(null, RetryPolicy.DEFAULT, false, false, "c", "s" + id, "n");
    return new Execution(
        id,
        GROUP,
        new TriggerCore(TriggerKey.oneShot("task-" + id), id, 0, 0, 1),
        0,
        100,
        0,
        spec,
        StoredParams.NONE,
        "worker-1",
        claimedAt,
        false,
        false,
        null);
  }

  @Test
  void anExecutionWithoutALeaseGetsOneAndOnlyWhenItsClaimIsLongOver() {
    try (TestDatabase database = TestDatabase.h2()) {
      long now = clock.millis();
      Execution stray = claimedAt(1, now - LEASE - 1);
      Execution known = claimedAt(2, now - LEASE - 1);
      Execution young = claimedAt(3, now - LEASE + 1);
      database.stores().executing().insert(List.of(stray, known, young));
      leases.grant(known.id(), known.workerId(), 7, time.monotonicMillis());

      int adopted = rescuer(database).adoptStrays(now);

      assertThat(adopted).isOne();
      assertThat(leases.expired(time.monotonicMillis() + LEASE))
          .containsExactly(stray.id(), known.id());
    }
  }

  @Test
  void whateverAnEarlierOwnerLeftGetsALease() {
    try (TestDatabase database = TestDatabase.h2()) {
      database.stores().executing().insert(List.of(claimedAt(1, 0), claimedAt(2, clock.millis())));

      assertThat(rescuer(database).adoptAll()).isEqualTo(2);
      assertThat(rescuer(database).adoptAll()).isZero();
    }
  }
}
