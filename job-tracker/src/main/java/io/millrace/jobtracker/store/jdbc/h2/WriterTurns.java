package io.millrace.jobtracker.store.jdbc.h2;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One writer at a time. Writers take turns in order of arrival; an urgent one waits only for the
 * current writer. Reentrant; thread-safe.
 */
final class WriterTurns {
  /** Held by the one usual writer that waits for its turn, and while it writes. */
  private final ReentrantLock queue = new ReentrantLock(true);

  private final ReentrantLock turn = new ReentrantLock(true);
  private final Lock usual = new Usual();

  /** Returns the lock for a writer that waits behind earlier ones. */
  Lock usual() {
    return usual;
  }

  /** Returns the lock for a writer that is next. */
  Lock urgent() {
    return turn;
  }

  /** Whether the calling thread holds the turn. */
  boolean isMine() {
    return turn.isHeldByCurrentThread();
  }

  private final class Usual implements Lock {
    @Override
    public void lock() {
      if (!isMine()) {
        queue.lock();
      }
      turn.lock();
    }

    /** Waits up to this time for earlier writers, and up to this time again for the current one. */
    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
      if (isMine()) {
        turn.lock();
        return true;
      }
      if (!queue.tryLock(time, unit)) {
        return false;
      }
      boolean mine = false;
      try {
        mine = turn.tryLock(time, unit);
      } finally {
        if (!mine) {
          queue.unlock();
        }
      }
      return mine;
    }

    @Override
    public void unlock() {
      turn.unlock();
      if (!isMine() && queue.isHeldByCurrentThread()) {
        queue.unlock();
      }
    }

    @Override
    public void lockInterruptibly() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean tryLock() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Condition newCondition() {
      throw new UnsupportedOperationException();
    }
  }
}
