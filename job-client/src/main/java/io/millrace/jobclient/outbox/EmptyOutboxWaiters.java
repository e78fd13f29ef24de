package io.millrace.jobclient.outbox;

import io.millrace.jobclient.request.TrackerLink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads that wait until everything is delivered, or until that will take long. Thread-safe. */
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
   * Waits until nothing is held.
   *
   * @return false if the time is over before that; at once if no tracker has been connected for a
   *     while, or the trackers refuse this client
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
      throw new IllegalStateException("the wait never fails", e);
    }
  }

  /** It is in the list before it looks, so that no end of the wait is missed. */
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

  /** No tracker has been connected for a while: ends every wait. */
  public void trackersAreGone() {
    synchronized (this) {
      trackersGone = link.session() == null;
    }
    notifyUndeliverable();
  }

  /** A tracker is connected. */
  synchronized void connected() {
    trackersGone = false;
  }

  /** Ends every wait: delivery will take long. */
  public void notifyUndeliverable() {
    complete(false);
  }

  /** Ends every wait: everything is delivered. */
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
