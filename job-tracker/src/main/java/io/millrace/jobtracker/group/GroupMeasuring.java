package io.millrace.jobtracker.group;

import io.millrace.common.time.Pace;
import io.millrace.common.time.RepeatedTimer;
import io.millrace.jobtracker.cluster.GroupRegistry;
import io.millrace.jobtracker.engine.EngineListener;
import io.millrace.jobtracker.engine.EngineService;
import io.millrace.jobtracker.engine.Timers;
import io.millrace.jobtracker.store.FeedbackStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts every few seconds what gauges and alerts show and memory does not know, once for both. A
 * store that does not answer fails the run, and the gauges keep what they showed. Thread-safe.
 */
public final class GroupMeasuring implements EngineService {
  /** As much feedback is counted; there may be more. */
  private static final int MOST_FEEDBACK = 1_000;

  private final GroupRegistry<GroupEngine> groups;
  private final Supplier<Map<String, Integer>> workers;
  private final FeedbackStore feedback;
  private final EngineListener listener;
  private final RepeatedTimer timer;
  private volatile long feedbackWaiting;

  /**
   * @param workers how many workers of each node group are connected; groups without are absent
   * @param listener told what was counted
   * @param period between two counts
   */
  public GroupMeasuring(
      GroupRegistry<GroupEngine> groups,
      Supplier<Map<String, Integer>> workers,
      FeedbackStore feedback,
      EngineListener listener,
      Timers timers,
      Duration period) {
    this.groups = groups;
    this.workers = workers;
    this.feedback = feedback;
    this.listener = listener;
    this.timer = timers.timer("measure", Pace.every(period), this::runOnce);
  }

  /** Results that wait for their clients, as last counted. */
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

  /** Returns nothing for the log: it changes nothing. */
  private @Nullable Object runOnce(long now) {
    Map<String, Integer> connected = workers.get();
    listener.serves(groups.names(), now);
    for (GroupEngine group : groups.all()) {
      group.count(connected.getOrDefault(group.name(), 0), now);
      listener.counted(group.name(), group.stats(), now);
    }
    feedbackWaiting = feedback.readBelow(Long.MAX_VALUE, MOST_FEEDBACK).size();
    return null;
  }
}
