package io.millrace.jobclient.submit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/**
 * Room for jobs that are taken and not yet answered, in count and in bytes. Whoever finds no room
 * waits its turn, first come, first served. A job larger than the byte bound gets in when it is
 * alone. Thread-safe.
 */
final class InFlightBound {
  private final int maxJobs;
  private final long maxBytes;
  private final Deque<Waiter> waiters = new ArrayDeque<>();
  private int jobs;
  private long bytes;

  InFlightBound(int maxJobs, long maxBytes) {
    this.maxJobs = maxJobs;
    this.maxBytes = maxBytes;
  }

  /** How many jobs have room now. */
  synchronized int jobs() {
    return jobs;
  }

  /** Takes room for one job; the turn is complete when the room is taken. */
  Turn enter(long size) {
    return enter(size, false);
  }

  /** Takes room for one job, beyond the bound if there is none: for those who must not wait. */
  Turn enterAtOnce(long size) {
    return enter(size, true);
  }

  private synchronized Turn enter(long size, boolean atOnce) {
    Waiter waiter = new Waiter(size);
    if (atOnce || (waiters.isEmpty() && fits(size))) {
      admit(waiter);
    } else {
      waiters.addLast(waiter);
    }
    return waiter;
  }

  /** Gives the room of one job back. */
  void leave(long size) {
    Deque<Waiter> admitted = new ArrayDeque<>();
    synchronized (this) {
      jobs--;
      bytes -= size;
      admitWaiters(admitted);
    }
    admitted.forEach(waiter -> waiter.entered.complete(null));
  }

  private void admitWaiters(Deque<Waiter> admitted) {
    while (!waiters.isEmpty() && fits(waiters.getFirst().size)) {
      Waiter waiter = waiters.removeFirst();
      take(waiter.size);
      admitted.add(waiter);
    }
  }

  private void admit(Waiter waiter) {
    take(waiter.size);
    waiter.entered.complete(null);
  }

  private void take(long size) {
    jobs++;
    bytes += size;
  }

  private boolean fits(long size) {
    return jobs == 0 || (jobs < maxJobs && bytes + size <= maxBytes);
  }

  /** A place in the line. */
  interface Turn {
    /** Complete when the room is taken. */
    CompletableFuture<Void> entered();

    /** Leaves the line; false if the room was taken already and must be given back. */
    boolean giveUp();
  }

  private final class Waiter implements Turn {
    private final long size;
    private final CompletableFuture<Void> entered = new CompletableFuture<>();

    private Waiter(long size) {
      this.size = size;
    }

    @Override
    public CompletableFuture<Void> entered() {
      return entered;
    }

    @Override
    public boolean giveUp() {
      Deque<Waiter> admitted = new ArrayDeque<>();
      boolean waited;
      synchronized (InFlightBound.this) {
        waited = waiters.remove(this);
        // A large job at the head may have held back smaller ones that fit.
        admitWaiters(admitted);
      }
      admitted.forEach(waiter -> waiter.entered.complete(null));
      return waited;
    }
  }
}
