package io.millrace.jobclient.internal.submit;

import io.millrace.internal.time.Timer;
import io.millrace.jobclient.internal.request.RequestContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends jobs whose request timeout is over: saves them, or fails them if there is no outbox. One
 * timer is set, for the earliest deadline. Guarded by the lock of the {@link OpenSubmissions}.
 */
final class SubmitExpiry {
  private final RequestContext context;
  private final OpenSubmissions open;
  private final @Nullable OutboxSaver saver;
  private final SubmitNotifier notifier;
  private final SubmitSender sender;
  private final long originNanos;
  private Timer.@Nullable Timeout timeout;
  private long timeoutNanos = PendingSubmission.NEVER;

  SubmitExpiry(
      RequestContext context,
      OpenSubmissions open,
      @Nullable OutboxSaver saver,
      SubmitNotifier notifier,
      SubmitSender sender) {
    this.context = context;
    this.open = open;
    this.saver = saver;
    this.notifier = notifier;
    this.sender = sender;
    this.originNanos = context.clock().nanoTime();
  }

  /** Returns the deadline of a job that may take this long from now. */
  long deadlineAfter(Duration patience) {
    return nowNanos() + patience.toNanos();
  }

  /**
   * Returns the nanoseconds since this object was created, which can be compared with {@code
   * NEVER}.
   */
  private long nowNanos() {
    return context.clock().nanoTime() - originNanos;
  }

  /**
   * Sets the timer for this deadline, unless one for an earlier deadline is set. Called under the
   * lock.
   */
  void watch(long deadlineNanos) {
    if (deadlineNanos < timeoutNanos) {
      clear();
      timeoutNanos = deadlineNanos;
      Duration delay = Duration.ofNanos(deadlineNanos - nowNanos());
      timeout = context.time().schedule(delay, this::expire);
    }
  }

  /** Cancels the timer; no job expires any more. Called under the lock. */
  void clear() {
    timeoutNanos = PendingSubmission.NEVER;
    Timer.cancel(timeout);
    timeout = null;
  }

  private void expire() {
    List<PendingSubmission> settled = new ArrayList<>();
    synchronized (open) {
      for (PendingSubmission pending : open.due(nowNanos())) {
        if (saver != null) {
          saver.saveKey(pending.key());
        } else if (open.remove(pending)) {
          settle(pending);
          settled.add(pending);
        }
      }
      clear();
      watch(open.nextDeadlineNanos());
    }
    notifier.notify(settled);
    if (saver != null) {
      saver.write();
    }
    sender.sendReady();
  }

  private void settle(PendingSubmission pending) {
    if (pending.tryLater != null && !pending.mayBeStored()) {
      pending.result = pending.tryLater;
    } else {
      pending.whyUnanswered = "no answer within " + context.timeouts().request();
    }
  }
}
