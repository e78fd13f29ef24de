package io.millrace.jobtracker;

import io.millrace.common.time.Pace;
import io.millrace.common.time.RepeatedTimer;
import io.millrace.jobtracker.alert.AlertDesk;
import io.millrace.jobtracker.alert.GroupReading;
import io.millrace.jobtracker.membership.ConnectedNodes;
import io.millrace.jobtracker.metrics.GroupReadings;
import io.millrace.jobtracker.store.FeedbackStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Counts every few seconds what gauges and alerts go by and memory does not know, once for both. A
 * store that does not answer fails the run, and the gauges keep what they showed. Thread-safe.
 */
final class MeasuringService {
  /** As much feedback is counted; there may be more. */
  private static final int MOST_FEEDBACK = 1_000;

  private final GroupServices groups;
  private final ConnectedNodes nodes;
  private final FeedbackStore feedback;
  private final @Nullable AlertDesk alerts;
  private final RepeatedTimer timer;
  private volatile long feedbackWaiting;

  /**
   * @param alerts told what was counted; null if nobody is told alerts
   */
  MeasuringService(
      TrackerRooms rooms, GroupServices groups, ConnectedNodes nodes, @Nullable AlertDesk alerts) {
    this.alerts = alerts;
    this.groups = groups;
    this.nodes = nodes;
    this.feedback = rooms.stores().feedback();
    this.timer =
        rooms.timer("measure", Pace.every(rooms.config().reports().measure()), this::runOnce);
    rooms.metrics().feedback(() -> feedbackWaiting);
  }

  void start() {
    timer.start();
    timer.wake();
  }

  /** Completes when a run under way has ended. */
  CompletableFuture<Void> stop() {
    return timer.destroy();
  }

  /** Says nothing of what it did: it changes nothing. */
  private @Nullable Object runOnce(long now) {
    Map<String, Integer> workers = nodes.workersByGroup();
    List<String> served = groups.served();
    if (alerts != null) {
      alerts.serves(served, now);
    }
    for (String group : served) {
      groups.ifServed(
          group,
          service -> {
            service.measure(workers.getOrDefault(group, 0), now);
            tell(group, service.state(), now);
          });
    }
    feedbackWaiting = feedback.readBelow(Long.MAX_VALUE, MOST_FEEDBACK).size();
    return null;
  }

  private void tell(String group, GroupReadings counted, long now) {
    if (alerts != null) {
      alerts.counted(
          group,
          new GroupReading(counted.backlog(), counted.oldestDueAge(), counted.workers()),
          now);
    }
  }
}
