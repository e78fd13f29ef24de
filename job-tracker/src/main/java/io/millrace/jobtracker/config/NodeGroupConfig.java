package io.millrace.jobtracker.config;

import io.millrace.internal.config.Bounds;
import io.millrace.internal.config.Check;
import io.millrace.jobtracker.store.NodeGroupStore;
import java.time.Duration;

/**
 * The highest number of node groups, and how long unused ones are kept.
 *
 * @param max the highest number in all, 1 to 100,000; 1,000 by default
 * @param maxOfClientGroup the highest number created by the submits of one client group, or by
 *     workers, 1 to 100,000; 250 by default
 * @param dropUnusedAfter how long a node group is unused before it is dropped, 1 minute to 36,525
 *     days, or zero for never; 7 days by default
 */
public record NodeGroupConfig(int max, int maxOfClientGroup, Duration dropUnusedAfter) {
  static final Bounds<Integer> COUNT = Bounds.between(1, 100_000);

  private static final Bounds<Duration> UNUSED =
      Bounds.between(Duration.ofMinutes(1), Duration.ofDays(36_525));

  public static final NodeGroupConfig DEFAULT = new NodeGroupConfig(1_000, 250, Duration.ofDays(7));

  public NodeGroupConfig {
    COUNT.check("the limit of node groups", max);
    COUNT.check("the limit of node groups of a client group", maxOfClientGroup);
    Check.that(
        dropUnusedAfter.isZero() || UNUSED.include(dropUnusedAfter),
        "drop-unused-node-groups-after must be between 1 minute and 36525 days, or 0s for never");
  }

  /** The default configuration with another highest number. */
  public static NodeGroupConfig atMost(int max) {
    return new NodeGroupConfig(max, DEFAULT.maxOfClientGroup, DEFAULT.dropUnusedAfter);
  }

  public NodeGroupStore.Bounds bounds() {
    return new NodeGroupStore.Bounds(max, maxOfClientGroup);
  }
}
