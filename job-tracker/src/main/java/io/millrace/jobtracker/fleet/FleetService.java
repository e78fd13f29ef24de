package io.millrace.jobtracker.fleet;

import io.millrace.common.time.Pace;
import io.millrace.common.time.RepeatedTimer;
import io.millrace.common.time.TimedExecutor;
import io.millrace.jobtracker.engine.EngineService;
import io.millrace.jobtracker.engine.Timers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the store every few seconds what operators are shown of workers and node groups.
 * Thread-safe.
 */
public final class FleetService implements EngineService {
  private static final Logger LOG = LoggerFactory.getLogger(FleetService.class);

  private final TimedExecutor time;
  private final MinuteReport counts;
  private final RepeatedTimer timer;

  /**
   * @param report writes workers and node groups
   * @param counts writes what was counted of them
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

  /** Writes what was counted since the last run: to be called when nothing more will be. */
  @Override
  public CompletableFuture<Void> stop() {
    return timer.destroy().thenRun(this::writeLast);
  }

  private void writeLast() {
    try {
      counts.runOnce(time.millis());
    } catch (RuntimeException e) {
      LOG.warn("fleet: the last counts of this tracker are lost: {}", e.toString());
    }
  }
}
