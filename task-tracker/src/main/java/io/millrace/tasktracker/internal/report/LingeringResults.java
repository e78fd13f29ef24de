package io.millrace.tasktracker.internal.report;

import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Holds results back from the disk for a short time, in which the tracker may acknowledge them.
 * Confined to the loop.
 */
final class LingeringResults {
  /** How long a result may wait for its acknowledgement before it is written. */
  static final Duration LINGER = Duration.ofMillis(20);

  private final Consumer<List<KeptResult>> due;
  private final TimedExecutor loop;

  /** In the order of their reports; some may be answered already. */
  private final Deque<KeptResult> results = new ArrayDeque<>();

  private boolean lingers;
  private Timer.@Nullable Timeout timeout;

  /**
   * Creates an instance that holds no result back.
   *
   * @param due receives the unanswered results that have waited long enough
   */
  LingeringResults(Consumer<List<KeptResult>> due, TimedExecutor loop) {
    this.due = due;
    this.loop = loop;
  }

  /** Sets whether results are held back. */
  void lingers(boolean newLingers) {
    lingers = newLingers;
    handOver();
  }

  /** Adds a result that was reported now. */
  void add(KeptResult kept) {
    results.add(kept);
    handOver();
  }

  private void handOver() {
    List<KeptResult> handedOver = new ArrayList<>();
    while (!results.isEmpty()) {
      KeptResult next = results.element();
      long wait = next.answered ? 0 : waitOf(next);
      if (wait > 0) {
        handOverIn(wait);
        break;
      }
      results.remove();
      if (!next.answered) {
        handedOver.add(next);
      }
    }
    if (!handedOver.isEmpty()) {
      due.accept(handedOver);
    }
  }

  /** Returns the nanoseconds that this result may still wait for its acknowledgement. */
  private long waitOf(KeptResult kept) {
    return lingers ? LINGER.toNanos() - (loop.clock().nanoTime() - kept.reportedAt) : 0;
  }

  private void handOverIn(long nanos) {
    if (timeout == null) {
      timeout =
          loop.schedule(
              Duration.ofNanos(nanos),
              () -> {
                timeout = null;
                handOver();
              });
    }
  }
}
