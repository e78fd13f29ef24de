package io.millrace.jobtracker;

import io.millrace.common.time.Pace;
import io.millrace.common.time.RepeatedTimer;
import io.millrace.common.time.TimedExecutor;
import io.millrace.jobtracker.fleet.FleetReport;
import io.millrace.jobtracker.fleet.MinuteReport;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the store every few seconds what operators are shown of workers and node groups.
 * Thread-safe.
 */
final class FleetService {
  private static final Logger LOG = LoggerFactory.getLogger(FleetService.class);

  private final TimedExecutor time;
  private final MinuteReport counts;
  private final RepeatedTimer timer;

  FleetService(TrackerRooms rooms, GroupServices groups, int tracker) {
    FleetReport report =
        new FleetReport(
            rooms.stores().console().fleet(), rooms.stores().waiting(), tracker, groups::reports);
    this.counts =
        new MinuteReport(
            rooms.stores().console().fleet().counts(), tracker, rooms.metrics()::takeCounts);
    this.time = rooms.time();
    this.timer =
        rooms.timer(
            "report the fleet",
            Pace.every(rooms.config().reports().fleet()),
            now -> {
              try {
                report.runOnce(now);
              } finally {
                counts.runOnce(now);
              }
              return null;
            });
  }

  void start() {
    timer.start();
  }

  /** Completes when a run under way has ended. */
  CompletableFuture<Void> stop() {
    return timer.destroy();
  }

  /** Writes what was counted since the last run, when nothing more will be. */
  void writeLast() {
    try {
      counts.runOnce(time.millis());
    } catch (RuntimeException e) {
      LOG.warn("fleet: the last counts of this tracker are lost: {}", e.toString());
    }
  }
}
