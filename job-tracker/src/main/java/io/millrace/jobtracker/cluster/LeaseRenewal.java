package io.millrace.jobtracker.cluster;

import io.millrace.common.time.Pace;
import io.millrace.common.time.RepeatedTimer;
import io.millrace.jobtracker.engine.EngineService;
import io.millrace.jobtracker.engine.Timers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Renews the tracker's lease in time, regardless of the load on other threads. */
public final class LeaseRenewal implements EngineService {
  private final TrackerLease lease;
  private final Runnable onRenewed;
  private final RepeatedTimer timer;

  /**
   * @param executor runs the renewals; its thread must do nothing else
   * @param onRenewed called after each renewal, even a late one
   */
  public LeaseRenewal(TrackerLease lease, Timers timers, Executor executor, Runnable onRenewed) {
    this.lease = lease;
    this.onRenewed = onRenewed;
    this.timer = timers.timer("renew lease", Pace.every(lease.period()), executor, now -> renew());
  }

  private @Nullable Object renew() {
    if (lease.renew()) {
      onRenewed.run();
    }
    return null;
  }

  @Override
  public void start() {
    timer.start();
  }

  @Override
  public CompletableFuture<Void> stop() {
    return timer.destroy();
  }
}
