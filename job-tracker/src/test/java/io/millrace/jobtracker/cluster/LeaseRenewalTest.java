package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.time.RepeatedTimer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.engine.Timers;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LeaseRenewalTest extends ServiceTest {
  private static final Duration LEASE = Duration.ofSeconds(10);

  @Test
  void leaseIsRenewedWhileAllOtherThreadsAreBusy() {
    TimedExecutor usual = time.timedExecutor();
    TimedExecutor busy = new TimedExecutor(usual.clock(), usual.timer(), task -> {});
    TrackerLease lease =
        TrackerLease.acquire(stores.trackers(), "one", "one", usual.clock(), LEASE, why -> {});
    RepeatedTimer renewal =
        lease.renewals(new Timers(busy, new Random(1)), usual.executor(), () -> {});
    renewal.start();

    time.pass(LEASE.multipliedBy(10));

    assertThat(lease.isHeld()).isTrue();
    assertThat(lease.isCertain()).isTrue();
    assertThat(renewal.destroy()).isCompleted();
    time.pass(LEASE.multipliedBy(2));
    assertThat(lease.isHeld()).isFalse();
  }
}
