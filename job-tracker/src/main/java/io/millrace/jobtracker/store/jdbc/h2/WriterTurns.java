package io.millrace.jobtracker.store.jdbc.h2;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.millrace.jobtracker.store.jdbc.sql.WriterLock;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One writer at a time. Writers take turns in order of arrival; an urgent one waits only for the
 * current writer. Reentrant; thread-safe.
 */
final class WriterTurns {
  /** Held by the one usual writer that waits for its turn, and while it writes. */
  private final ReentrantLock queue = new ReentrantLock(true);

  private final ReentrantLock turn = new ReentrantLock(true);
  private final WriterLock usual = new Turn(false);
  private final WriterLock urgent = new Turn(true);

  /** Returns the lock for a writer that waits behind earlier ones. */
  WriterLock usual() {
    return usual;
  }

  /** Returns the lock for a writer that is next. */
  WriterLock urgent() {
    return urgent;
  }

  /** Whether the calling thread holds the turn. */
  boolean isMine() {
    return turn.isHeldByCurrentThread();
  }

  private final class Turn implements WriterLock {
    private final boolean isUrgent;

    Turn(boolean isUrgent) {
      this.isUrgent = isUrgent;
    }

    @Override
    public void lock() {
      if (queues()) {
        queue.lock();
      }
      turn.lock();
    }

    @Override
    public boolean tryLock(Duration patience) throws InterruptedException {
      long millis = patience.toMillis();
      boolean queues = queues();
      if (queues && !queue.tryLock(millis, MILLISECONDS)) {
        return false;
      }
      boolean mine = false;
      try {
        mine = turn.tryLock(millis, MILLISECONDS);
      } finally {
        if (queues && !mine) {
          queue.unlock();
        }
      }
      return mine;
    }

    /** A writer that has the turn takes it again without waiting. */
    private boolean queues() {
      return !isUrgent && !isMine();
    }

    @Override
    public void unlock() {
      turn.unlock();
      if (!isMine() && queue.isHeldByCurrentThread()) {
        queue.unlock();
      }
    }
  }
}
