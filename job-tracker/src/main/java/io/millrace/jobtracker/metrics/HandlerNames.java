package io.millrace.jobtracker.metrics;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which handlers have meters of their own: the first of each node group, and of all groups
 * together. Clients choose the names, so that without a bound a mistake of one would fill the
 * memory of whoever scrapes. Thread-safe.
 */
final class HandlerNames {
  /** What a handler is called for which there is no room. */
  static final String OTHER = "other";

  /** What the only handler of a worker is called. */
  static final String UNNAMED = "default";

  static final int MOST_OF_A_GROUP = 50;
  static final int MOST = 2_000;

  private final AtomicInteger given = new AtomicInteger();

  /**
   * The name under which a handler is counted that has no meters yet.
   *
   * @param handler empty for the only one of a worker
   * @param known handlers of its group that have meters
   */
  String nameFor(String handler, int known) {
    if (known >= MOST_OF_A_GROUP || given.getAndUpdate(n -> Math.min(n + 1, MOST)) >= MOST) {
      return OTHER;
    }
    return handler.isEmpty() ? UNNAMED : handler;
  }
}
