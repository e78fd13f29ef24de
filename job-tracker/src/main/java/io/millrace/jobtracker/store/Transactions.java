package io.millrace.jobtracker.store;

import java.util.function.Supplier;

/** Runs work in one transaction of the calling thread. */
public interface Transactions {

  /**
   * Runs the work in a READ COMMITTED transaction and commits it. A deadlock or a lock time-out
   * rolls it back and runs it again, a bounded number of times; this is the only place that does.
   * So the work may run more than once and must have no effect outside the store. Any exception
   * rolls back and comes out as it is. Not reentrant.
   *
   * @param name for logs and errors: what the transaction does
   * @throws StoreException if the store fails or the attempts are used up
   * @throws UnknownOutcomeException if the commit failed without saying whether it took effect
   * @throws IllegalStateException if the calling thread is in a transaction already
   */
  <T> T inTransaction(String name, Supplier<T> work);

  /** As {@link #inTransaction}, without a result. */
  default void run(String name, Runnable work) {
    inTransaction(
        name,
        () -> {
          work.run();
          return true;
        });
  }
}
