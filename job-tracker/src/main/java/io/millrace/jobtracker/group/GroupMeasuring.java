package io.millrace.jobtracker.group;

import io.millrace.internal.time.Pace;
import io.millrace.internal.time.RepeatedTimer;
import io.millrace.jobtracker.cluster.GroupRegistry;
import io.millrace.jobtracker.engine.EngineService;
import io.millrace.jobtracker.engine.Timers;
import io.millrace.jobtracker.observe.TrackerObserver;
import io.millrace.jobtracker.store.FeedbackStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts periodically, every 5 s by default, the values that gauges and observers show and memory
 * does not hold, once for both. If the store does not answer, the run fails and the gauges keep
 * their last values. Thread-safe.
 */
public final class GroupMeasuring implements EngineService {
  /** The most feedback rows counted; there may be more. */
  private static final int MOST_FEEDBACK = 1_000;

  private final GroupRegistry<GroupEngine> groups;
  private final Supplier<Map<String, Integer>> workers;
  private final FeedbackStore feedback;
  private final TrackerObserver observer;
  private final RepeatedTimer timer;
  private volatile long feedbackWaiting;

  /**
   * @param workers the number of connected workers of each node group; groups without workers are
   *     absent
   * @param observer receives the counts
   * @param period between two counts
   */
  public GroupMeasuring(
      GroupRegistry<GroupEngine> groups,
      Supplier<Map<String, Integer>> workers,
      FeedbackStore feedback,
      TrackerObserver observer,
      Timers timers,
      Duration period) {
    this.groups = groups;
    this.workers = workers;
    this.feedback = feedback;
    this.observer = observer;
    this.timer = timers.timer("measure", Pace.every(period), this::runOnce);
  }

  /** The number of results that wait for their clients, as last counted. */
  public long feedbackWaiting() {
    return feedbackWaiting;
  }

  @Override
  public void start() {
    timer.start();
    timer.wake();
  }

  @Override
  public CompletableFuture<Void> stop() {
    return timer.destroy();
  }

  /** Counts once. Returns null, so nothing is logged: a count changes nothing. */
  private @Nullable Object runOnce(long now) {
    Map<String, Integer> connected = workers.get();
    observer.serves(groups.names(), now);
    for (GroupEngine group : groups.all()) {
      group.count(connected.getOrDefault(group.name(), 0), now);
      observer.counted(group.name(), group.stats(), now);
    }
    feedbackWaiting = feedback.readBelow(Long.MAX_VALUE, MOST_FEEDBACK).size();
    return null;
  }
}
