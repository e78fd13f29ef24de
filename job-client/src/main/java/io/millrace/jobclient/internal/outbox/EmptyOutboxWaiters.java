package io.millrace.jobclient.internal.outbox;

import io.millrace.internal.rpc.tracker.TrackerLink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The threads that wait until everything is delivered. A wait also ends when delivery will take
 * long. Thread-safe.
 */
public final class EmptyOutboxWaiters {
  private final HeldRequests held;
  private final TrackerLink link;
  private final List<CompletableFuture<Boolean>> waiters = new ArrayList<>();
  private boolean trackersGone;

  EmptyOutboxWaiters(HeldRequests held, TrackerLink link) {
    this.held = held;
    this.link = link;
  }

  /**
   * Waits until the outbox holds no request.
   *
   * @return false if the timeout is over before everything is delivered; false at once if no
   *     tracker has been connected for a while, or if trackers refuse this client
   */
  public boolean await(Duration timeout) {
    CompletableFuture<Boolean> empty = whenEmpty();
    try {
      return empty.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("unexpected failure of the wait", e);
    }
  }

  /**
   * Adds a waiter before it checks the state, so that the waiter misses no event that ends the
   * wait.
   */
  private CompletableFuture<Boolean> whenEmpty() {
    CompletableFuture<Boolean> waiter = new CompletableFuture<>();
    boolean undeliverable;
    synchronized (this) {
      waiters.add(waiter);
      undeliverable = link.session() == null && (trackersGone || link.refusal() != null);
    }
    if (held.isEmpty()) {
      notifyEmpty();
    } else if (undeliverable) {
      notifyUndeliverable();
    }
    return waiter;
  }

  /** Ends every wait, because no tracker has been connected for a while. */
  public void trackersAreGone() {
    synchronized (this) {
      trackersGone = link.session() == null;
    }
    notifyUndeliverable();
  }

  /** Records that a tracker is connected. */
  synchronized void connected() {
    trackersGone = false;
  }

  /** Ends every wait, because delivery will take long. */
  public void notifyUndeliverable() {
    complete(false);
  }

  /** Ends every wait, because everything is delivered. */
  void notifyEmpty() {
    complete(true);
  }

  private void complete(boolean empty) {
    List<CompletableFuture<Boolean>> ended;
    synchronized (this) {
      ended = List.copyOf(waiters);
      waiters.clear();
    }
    ended.forEach(waiter -> waiter.complete(empty));
  }
}
