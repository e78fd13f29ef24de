package io.millrace.jobtracker.store.jdbc.sql;

import java.time.Duration;

/** The right to write, which one thread holds at a time. Reentrant; thread-safe. */
public interface WriterLock {

  /** Waits until the calling thread holds the lock, even if it is interrupted. */
  void lock();

  /**
   * Waits until the calling thread holds the lock, at most this long for earlier writers and again
   * this long for the current one.
   *
   * @return whether the calling thread holds the lock
   * @throws InterruptedException if interrupted while it waits
   */
  boolean tryLock(Duration patience) throws InterruptedException;

  /** Releases the lock if it has been released as often as it was acquired. */
  void unlock();
}
