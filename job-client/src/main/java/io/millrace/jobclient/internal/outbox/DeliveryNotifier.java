package io.millrace.jobclient.internal.outbox;

import io.millrace.internal.time.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies the listener of outcomes, one after another. An entry is released when the listener has
 * returned, so that the next process notifies again if this one dies before. If the listener takes
 * long or is missing, the entry is released without it; the outcome then stays in memory, up to a
 * bound. Thread-safe.
 */
final class DeliveryNotifier {
  static final int MAX_WAITING = 10_000;
  static final int MAX_TRIES = 5;

  /** The time after which an entry is released although the listener has not returned. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Logger LOG = LoggerFactory.getLogger(DeliveryNotifier.class);

  private final Executor listeners;
  private final Executor tasks;
  private final Timer timer;
  private final Deque<Notification> waiting = new ArrayDeque<>();
  private @Nullable OutboxListener listener;
  private boolean notifying;
  private boolean closed;

  /**
   * Creates a notifier without a listener.
   *
   * @param listeners runs the listener
   * @param tasks runs the tasks of the timer
   */
  DeliveryNotifier(Executor listeners, Executor tasks, Timer timer) {
    this.listeners = listeners;
    this.tasks = tasks;
    this.timer = timer;
  }

  /** Sets the listener, which also receives the waiting outcomes. */
  void listener(OutboxListener newListener) {
    synchronized (waiting) {
      listener = newListener;
    }
    notifyNext();
  }

  /**
   * Logs an outcome, and notifies the listener of it as soon as possible.
   *
   * @param release run once, when the entry need no longer be kept for the listener
   */
  void notify(OutboxOutcome outcome, Runnable release) {
    log(outcome);
    Notification notification = new Notification(outcome, release);
    Notification dropped;
    boolean hasListener;
    synchronized (waiting) {
      if (closed) {
        return;
      }
      waiting.addLast(notification);
      dropped = waiting.size() > MAX_WAITING ? waiting.removeFirst() : null;
      hasListener = listener != null;
    }
    if (dropped != null) {
      LOG.warn("outbox: dropped a notification that no listener received: {}", dropped);
      dropped.release();
    }
    if (hasListener) {
      notification.releaseLater();
    } else {
      notification.release();
    }
    notifyNext();
  }

  private static void log(OutboxOutcome outcome) {
    if (outcome.isBad()) {
      LOG.warn("outbox: {}", outcome.describe());
    } else if (LOG.isDebugEnabled()) {
      LOG.debug("outbox: {}", outcome.describe());
    }
  }

  private void notifyNext() {
    synchronized (waiting) {
      if (notifying || closed || listener == null || waiting.isEmpty()) {
        return;
      }
      notifying = true;
    }
    try {
      listeners.execute(this::notifyOne);
    } catch (RejectedExecutionException closing) {
      // The entry stays on the disk, and the next process notifies its listener.
    }
  }

  private void notifyOne() {
    Notification notification;
    OutboxListener current;
    synchronized (waiting) {
      notification = waiting.pollFirst();
      current = listener;
    }
    if (notification != null && current != null) {
      call(current, notification);
    }
    synchronized (waiting) {
      notifying = false;
    }
    notifyNext();
  }

  /** Calls the listener. A failure of the listener must not delay the other outcomes. */
  private void call(OutboxListener current, Notification notification) {
    try {
      current.onOutcome(notification.outcome);
      notification.release();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failed(notification, e);
    } catch (Throwable e) {
      failed(notification, e);
    }
  }

  private void failed(Notification notification, Throwable failure) {
    notification.tries++;
    if (notification.tries < MAX_TRIES) {
      LOG.warn(
          "outbox: the listener failed on the notification {}; it will be repeated",
          notification,
          failure);
      Duration pause = FIRST_PAUSE.multipliedBy(1L << notification.tries);
      notification.again = timer.schedule(pause, tasks, () -> notifyAgain(notification));
    } else {
      LOG.error(
          "outbox: the listener failed {} times on the notification {}; giving up",
          MAX_TRIES,
          notification,
          failure);
      notification.release();
    }
  }

  private void notifyAgain(Notification notification) {
    synchronized (waiting) {
      waiting.addLast(notification);
    }
    notifyNext();
  }

  /** Stops notifying. Releases no entry. */
  void close() {
    synchronized (waiting) {
      closed = true;
      waiting.forEach(Notification::forget);
      waiting.clear();
    }
  }

  private final class Notification {
    private final OutboxOutcome outcome;
    private final Runnable release;
    private final AtomicBoolean released = new AtomicBoolean();
    private int tries;
    private volatile Timer.@Nullable Timeout patience;
    private volatile Timer.@Nullable Timeout again;

    private Notification(OutboxOutcome outcome, Runnable release) {
      this.outcome = outcome;
      this.release = release;
    }

    private void releaseLater() {
      patience = timer.schedule(PATIENCE, tasks, this::release);
    }

    private void release() {
      Timer.cancel(patience);
      if (released.compareAndSet(false, true)) {
        release.run();
      }
    }

    private void forget() {
      Timer.cancel(patience);
      Timer.cancel(again);
    }

    @Override
    public String toString() {
      return outcome.describe();
    }
  }
}
