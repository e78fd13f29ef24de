package io.millrace.jobtracker.alert;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** So many in any hour, and no more. Not thread-safe. */
final class HourlyBudget {
  private static final Duration HOUR = Duration.ofHours(1);

  private final int most;
  private final Deque<Long> spent = new ArrayDeque<>();

  HourlyBudget(int most) {
    this.most = most;
  }

  /** Spends one, if there is one. */
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
