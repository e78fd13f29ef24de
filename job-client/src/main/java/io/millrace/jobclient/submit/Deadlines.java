package io.millrace.jobclient.submit;

import io.millrace.common.time.Clock;
import io.millrace.common.time.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that have no answer yet, by the time their answer is due, and one timeout for the next
 * of them. Guarded by the lock of the {@link SubmitPipeline}.
 */
final class Deadlines {
  /** The deadline of what may take any time. */
  static final long NEVER = Long.MAX_VALUE;

  private static final Comparator<PendingSubmission> EARLIEST_FIRST =
      Comparator.<PendingSubmission>comparingLong(pending -> pending.deadlineNanos)
          .thenComparingLong(pending -> pending.sequence);

  private final Clock clock;
  private final Timer timer;
  private final Executor executor;
  private final Runnable onDue;
  private final long originNanos;
  private final TreeSet<PendingSubmission> open = new TreeSet<>(EARLIEST_FIRST);
  private Timer.@Nullable Timeout armed;
  private long armedForNanos;

  /**
   * Makes an empty set.
   *
   * @param onDue run on the executor when a deadline may have passed; settles what {@link #due}
   *     says
   */
  Deadlines(Clock clock, Timer timer, Executor executor, Runnable onDue) {
    this.clock = clock;
    this.timer = timer;
    this.executor = executor;
    this.onDue = onDue;
    this.originNanos = clock.nanoTime();
  }

  /** The deadline of something that begins now, on a line that starts at zero. */
  long after(Duration timeout) {
    return nowNanos() + timeout.toNanos();
  }

  void add(PendingSubmission pending) {
    open.add(pending);
    boolean isNext = armed == null || pending.deadlineNanos < armedForNanos;
    if (isNext && pending.deadlineNanos != NEVER) {
      arm();
    }
  }

  /** Forgets a job; false if it was forgotten already. */
  boolean remove(PendingSubmission pending) {
    return open.remove(pending);
  }

  boolean contains(PendingSubmission pending) {
    return open.contains(pending);
  }

  boolean isEmpty() {
    return open.isEmpty();
  }

  /** The jobs whose deadline has passed; they stay until they are removed. */
  List<PendingSubmission> due() {
    long now = nowNanos();
    List<PendingSubmission> due = new ArrayList<>();
    for (PendingSubmission pending : open) {
      if (pending.deadlineNanos > now) {
        break;
      }
      due.add(pending);
    }
    return due;
  }

  /** Every job. */
  List<PendingSubmission> all() {
    return List.copyOf(open);
  }

  /** Sets the timeout for the earliest deadline. */
  void arm() {
    disarm();
    if (!open.isEmpty() && open.first().deadlineNanos != NEVER) {
      armedForNanos = open.first().deadlineNanos;
      armed = timer.schedule(Duration.ofNanos(armedForNanos - nowNanos()), executor, onDue);
    }
  }

  void disarm() {
    if (armed != null) {
      armed.cancel();
      armed = null;
    }
  }

  private long nowNanos() {
    return clock.nanoTime() - originNanos;
  }
}
