package io.millrace.console.alert.monitor;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** A limit on how much is spent in any hour. Not thread-safe. */
final class HourlyBudget {
  private static final Duration HOUR = Duration.ofHours(1);

  private final int most;
  private final Deque<Long> spent = new ArrayDeque<>();

  HourlyBudget(int most) {
    this.most = most;
  }

  /** Spends one, if the budget allows it, and returns whether it did. */
  boolean spend(long now) {
    while (!spent.isEmpty() && Spans.passed(spent.getFirst(), now, HOUR)) {
      spent.removeFirst();
    }
    if (spent.size() >= most) {
      return false;
    }
    spent.addLast(now);
    return true;
  }
}
