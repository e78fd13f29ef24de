package io.millrace.jobtracker.metrics;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Decides which handlers have meters of their own: the first of each node group, and of all groups
 * together. Clients choose the names; without a bound, one client's mistake would fill the memory
 * of the monitoring system. Thread-safe.
 */
final class HandlerNames {
  /** The name of a handler beyond the limits. */
  static final String OTHER = "other";

  /** The name of a worker's only handler. */
  static final String UNNAMED = "default";

  static final int MOST_OF_A_GROUP = 50;
  static final int MOST = 2_000;

  private final AtomicInteger given = new AtomicInteger();

  /**
   * The name under which a handler without meters is counted.
   *
   * @param handler empty for the only one of a worker
   * @param known number of handlers of its group that have meters
   */
  String nameFor(String handler, int known) {
    if (known >= MOST_OF_A_GROUP || given.getAndUpdate(n -> Math.min(n + 1, MOST)) >= MOST) {
      return OTHER;
    }
    return handler.isEmpty() ? UNNAMED : handler;
  }
}
