package io.millrace.console.alert.monitor;

import io.millrace.internal.config.Bounds;
import io.millrace.internal.config.Check;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When alerts are sent.
 *
 * @param kinds which kinds are reported at all
 * @param exceptGroups node groups that are never reported; a {@code *} at the end stands for any
 *     further characters
 * @param lateAfter a due trigger that waits longer than this is late
 * @param noWorkerAfter for how long a node group with due work has no worker before that is
 *     reported
 * @param window for how long events are collected for one message, and for how long a condition
 *     must not hold before it counts as over
 * @param repeat the least time between two messages of one kind about one node group; the end of a
 *     condition is reported regardless of it
 * @param maxPerHour messages in any hour, over all kinds and node groups
 * @param examples how many examples a message names
 */
public record AlertRules(
    Set<AlertKind> kinds,
    List<String> exceptGroups,
    Duration lateAfter,
    Duration noWorkerAfter,
    Duration window,
    Duration repeat,
    int maxPerHour,
    int examples) {

  public static final AlertRules DEFAULT =
      new AlertRules(
          EnumSet.allOf(AlertKind.class),
          List.of(),
          Duration.ofMinutes(1),
          Duration.ofMinutes(1),
          Duration.ofSeconds(30),
          Duration.ofMinutes(15),
          60,
          3);

  public AlertRules {
    kinds = Set.copyOf(kinds);
    exceptGroups = List.copyOf(exceptGroups);
    Check.that(
        lateAfter.toMillis() >= 100, "the threshold for late triggers must be at least 100 ms");
    Check.that(!noWorkerAfter.isNegative(), "the time without workers must not be negative");
    Check.that(window.toMillis() >= 1_000, "the window must be at least 1 s");
    Check.that(repeat.compareTo(window) >= 0, "the repeat interval must be at least one window");
    Bounds.between(1, 10_000).check("the number of messages an hour", maxPerHour);
    Bounds.between(0, 20).check("the number of examples in a message", examples);
  }

  /** Whether this kind is reported for this node group. */
  boolean reports(AlertKind kind, @Nullable String nodeGroup) {
    return kinds.contains(kind)
        && (nodeGroup == null
            || exceptGroups.stream().noneMatch(pattern -> matches(pattern, nodeGroup)));
  }

  private static boolean matches(String pattern, String nodeGroup) {
    return pattern.endsWith("*")
        ? nodeGroup.startsWith(pattern.substring(0, pattern.length() - 1))
        : nodeGroup.equals(pattern);
  }

  /** For how long a condition of this kind must hold before it is reported. */
  Duration patience(AlertKind kind) {
    return kind == AlertKind.NO_WORKER ? noWorkerAfter : window;
  }

  /**
   * Whether missing workers are reported no later than the triggers that wait for them would be
   * reported as late.
   */
  boolean noWorkerComesFirst() {
    return kinds.contains(AlertKind.NO_WORKER)
        && noWorkerAfter.compareTo(lateAfter.plus(window)) <= 0;
  }
}
