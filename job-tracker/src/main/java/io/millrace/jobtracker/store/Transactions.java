package io.millrace.jobtracker.store;

import io.millrace.jobtracker.store.failure.StoreBusyException;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import io.millrace.jobtracker.store.failure.UnknownOutcomeException;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Runs work in one transaction of the calling thread.
 *
 * <p>The outcome of a commit can be unknown: the connection broke before the answer came. Nothing
 * may be acknowledged until the outcome is known. Every write goes through one of three methods,
 * which differ in how they determine the outcome: {@link #inTransaction(String, Supplier,
 * Predicate)} checks the store, {@link #repeating} runs the work again, and {@link
 * #inTransaction(String, Supplier)} leaves it to the caller.
 */
public interface Transactions {

  /**
   * Runs the work in a READ COMMITTED transaction and commits it. After a deadlock or a lock
   * time-out it rolls back and runs the work again, a bounded number of times; no other place
   * retries. The work may therefore run more than once and must have no effect outside the store.
   * Any exception rolls back and is rethrown unchanged. Not reentrant.
   *
   * @param name what the transaction does, for logs and errors
   * @throws StoreBusyException if it has lost to other transactions too often
   * @throws StoreUnavailableException if the store cannot be reached
   * @throws StoreException if the store fails otherwise
   * @throws UnknownOutcomeException if the commit failed without saying whether it took effect
   * @throws IllegalStateException if the calling thread is in a transaction already
   */
  <T> T inTransaction(String name, Supplier<T> work);

  /**
   * As {@link #inTransaction(String, Supplier)}; if the outcome of a commit is unknown, a separate
   * transaction checks it. If the commit took effect, returns the result of the work; if not, runs
   * the work again, a bounded number of times.
   *
   * @param tookEffect receives the result of the work and returns whether the store contains its
   *     writes. It must wait for a transaction that may still commit, so it begins by writing or
   *     locking a row that the work has written or deleted: then no row means no effect
   * @throws UnknownOutcomeException if the outcome cannot be determined; nothing may be
   *     acknowledged
   */
  default <T> T inTransaction(String name, Supplier<T> work, Predicate<T> tookEffect) {
    return new CommitOutcome<>(this, name, work, tookEffect).settle();
  }

  /**
   * As {@link #inTransaction(String, Supplier)}, for work that itself detects what an earlier run
   * has done and returns the same result: if the outcome is unknown, the work runs again, a bounded
   * number of times. Before it decides anything, it must write, lock, or conflict with the unique
   * key of a row that the earlier run has written, so that it waits for a run that may still
   * commit.
   *
   * @throws UnknownOutcomeException if the outcome cannot be determined; nothing may be
   *     acknowledged
   */
  default <T> T repeating(String name, Supplier<T> work) {
    return new CommitOutcome<>(this, name, work, null).settle();
  }

  /**
   * Adds a listener to the rows that these transactions and single statements outside of them
   * commit. The rows of a commit whose outcome stays unknown are not reported.
   *
   * @return removes the listener; harmless when repeated
   */
  Runnable listen(CommitListener listener);

  /**
   * How many transactions that store jobs of one node group are worth running at the same time.
   * While one waits for the server of a database, another can be prepared; with a database in this
   * process they would only compete for the processors.
   */
  int submitsAtATime();

  /** As {@link #inTransaction(String, Supplier)}, without a result. */
  default void run(String name, Runnable work) {
    inTransaction(
        name,
        () -> {
          work.run();
          return true;
        });
  }
}
