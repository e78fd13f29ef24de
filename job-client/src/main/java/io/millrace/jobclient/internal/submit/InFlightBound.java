package io.millrace.jobclient.internal.submit;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the jobs that are accepted and not yet answered, in count and in bytes. A job that finds
 * no room waits; waiting jobs enter in the order of their arrival. A job larger than the byte bound
 * enters when no other job is in flight. Thread-safe.
 */
public final class InFlightBound {
  private final int maxJobs;
  private final long maxBytes;
  private final Deque<Turn> waiters = new ArrayDeque<>();
  private int jobs;
  private long bytes;

  /**
   * Whether this thread is completing a future. A submit from this thread must not wait for room:
   * the jobs that occupy the room may be waiting for this thread.
   */
  private final ThreadLocal<Boolean> mustNotWait = ThreadLocal.withInitial(() -> false);

  public InFlightBound(int maxJobs, long maxBytes) {
    this.maxJobs = maxJobs;
    this.maxBytes = maxBytes;
  }

  /** Returns the number of jobs in flight now. */
  public synchronized int jobs() {
    return jobs;
  }

  /**
   * Takes room for one job. The turn has entered when the room is taken. Within {@link
   * #runWithoutWaiting} the room is taken at once, beyond the bound if there is none.
   */
  Turn enter(long size) {
    boolean atOnce = mustNotWait.get();
    return enter(size, atOnce);
  }

  /** Takes room for one job, beyond the bound if there is none. */
  void enterAtOnce(long size) {
    Turn unused = enter(size, true);
  }

  /** Runs code of the application. Submits from it do not wait for room. */
  void runWithoutWaiting(Runnable code) {
    boolean nested = mustNotWait.get();
    mustNotWait.set(true);
    try {
      code.run();
    } finally {
      mustNotWait.set(nested);
    }
  }

  private synchronized Turn enter(long size, boolean atOnce) {
    Turn turn = new Turn(size);
    if (atOnce || (waiters.isEmpty() && fits(size))) {
      admit(turn);
    } else {
      waiters.addLast(turn);
    }
    return turn;
  }

  /** Releases the room of one job. */
  void leave(long size) {
    Deque<Turn> admitted = new ArrayDeque<>();
    synchronized (this) {
      jobs--;
      bytes -= size;
      admitWaiters(admitted);
    }
    admitted.forEach(turn -> turn.entered.complete(null));
  }

  private void admitWaiters(Deque<Turn> admitted) {
    while (!waiters.isEmpty() && fits(waiters.getFirst().size)) {
      Turn turn = waiters.removeFirst();
      take(turn.size);
      admitted.add(turn);
    }
  }

  private void admit(Turn turn) {
    take(turn.size);
    turn.entered.complete(null);
  }

  private void take(long size) {
    jobs++;
    bytes += size;
  }

  private boolean fits(long size) {
    return jobs == 0 || (jobs < maxJobs && bytes + size <= maxBytes);
  }

  /** A place in the queue for room. */
  final class Turn {
    private final long size;
    private final CompletableFuture<Void> entered = new CompletableFuture<>();

    private Turn(long size) {
      this.size = size;
    }

    /** Returns whether the room is taken. */
    boolean hasEntered() {
      return entered.isDone();
    }

    /**
     * Waits until the room is taken.
     *
     * @return null if the room is taken; otherwise the reason why no room was taken
     */
    @Nullable String await(Duration timeout) {
      String why;
      try {
        entered.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        return null;
      } catch (TimeoutException e) {
        why = maxJobs + " jobs in flight are the limit, which was still reached after " + timeout;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        why = "the thread was interrupted while it waited for jobs in flight to complete";
      } catch (ExecutionException e) {
        throw new IllegalStateException("unexpected failure of the wait", e);
      }
      if (!giveUp()) {
        leave(size);
      }
      return why;
    }

    /** Leaves the queue. Returns false if the room was taken already and must be released. */
    boolean giveUp() {
      Deque<Turn> admitted = new ArrayDeque<>();
      boolean waited;
      synchronized (InFlightBound.this) {
        waited = waiters.remove(this);
        // A large job at the head of the queue may have blocked smaller ones that fit.
        admitWaiters(admitted);
      }
      admitted.forEach(turn -> turn.entered.complete(null));
      return waited;
    }
  }
}
