package io.millrace.jobtracker.store.jdbc.h2;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One writer at a time. Writers take turns in the order in which they come; an urgent one waits for
 * the one that writes now and for no other. Reentrant; thread-safe.
 */
final class WriterTurns {
  /** Held by the one usual writer that may wait for its turn, and as long as it writes. */
  private final ReentrantLock queue = new ReentrantLock(true);

  private final ReentrantLock turn = new ReentrantLock(true);
  private final Lock usual = new Usual();

  /** For a writer that waits behind those that came before it. */
  Lock usual() {
    return usual;
  }

  /** For a writer that is next. */
  Lock urgent() {
    return turn;
  }

  /** Whether the calling thread writes. */
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

    /** Waits so long for those that came before, and so long again for the one that writes. */
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
