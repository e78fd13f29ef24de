package io.millrace.jobtracker.fleet;

import io.millrace.internal.time.Pace;
import io.millrace.internal.time.RepeatedTimer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.engine.EngineService;
import io.millrace.jobtracker.engine.Timers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the state of workers and node groups to the store every few seconds, for operators.
 * Thread-safe.
 */
public final class FleetService implements EngineService {
  private static final Logger LOG = LoggerFactory.getLogger(FleetService.class);

  private final TimedExecutor time;
  private final MinuteReport counts;
  private final RepeatedTimer timer;

  /**
   * @param report writes workers and node groups
   * @param counts writes the counts of node groups by minute
   * @param period between two runs
   */
  public FleetService(FleetReport report, MinuteReport counts, Timers timers, Duration period) {
    this.counts = counts;
    this.time = timers.time();
    this.timer =
        timers.timer(
            "report the fleet",
            Pace.every(period),
            now -> {
              try {
                report.runOnce(now);
              } finally {
                counts.runOnce(now);
              }
              return null;
            });
  }

  @Override
  public void start() {
    timer.start();
  }

  @Override
  public CompletableFuture<Void> stop() {
    return timer.destroy();
  }

  /** Writes the counts since the last run. */
  @Override
  public CompletableFuture<Void> finish() {
    try {
      counts.runOnce(time.millis());
    } catch (RuntimeException e) {
      LOG.warn("fleet: the last counts of this tracker are lost: {}", e.toString());
    }
    return CompletableFuture.completedFuture(null);
  }
}
