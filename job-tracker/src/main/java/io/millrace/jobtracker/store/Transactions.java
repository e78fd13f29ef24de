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
 * may be acknowledged then before it is known. Every write goes through one of three methods, which
 * say how it gets to know: {@link #inTransaction(String, Supplier, Predicate)} looks, {@link
 * #repeating} does it again, and {@link #inTransaction(String, Supplier)} leaves it to the caller.
 */
public interface Transactions {

  /**
   * Runs the work in a READ COMMITTED transaction and commits it. A deadlock or a lock time-out
   * rolls it back and runs it again, a bounded number of times; this is the only place that does.
   * So the work may run more than once and must have no effect outside the store. Any exception
   * rolls back and comes out as it is. Not reentrant.
   *
   * @param name for logs and errors: what the transaction does
   * @throws StoreBusyException if it has lost to others too often
   * @throws StoreUnavailableException if the store cannot be reached
   * @throws StoreException if the store fails otherwise
   * @throws UnknownOutcomeException if the commit failed without saying whether it took effect
   * @throws IllegalStateException if the calling thread is in a transaction already
   */
  <T> T inTransaction(String name, Supplier<T> work);

  /**
   * As {@link #inTransaction(String, Supplier)}; a commit whose outcome is unknown is looked up in
   * a transaction of its own. If it took effect, the result of the work comes out; if not, the work
   * runs again, a bounded number of times.
   *
   * @param tookEffect given the result of the work, says whether the store shows what it wrote. It
   *     must wait for a transaction that may yet commit, so it begins by writing or locking a row
   *     that the work has written or deleted: then no row means no effect
   * @throws UnknownOutcomeException if the outcome cannot be found out; nothing may be acknowledged
   */
  default <T> T inTransaction(String name, Supplier<T> work, Predicate<T> tookEffect) {
    return new CommitOutcome<>(this, name, work, tookEffect).settle();
  }

  /**
   * As {@link #inTransaction(String, Supplier)}, for work that finds out by itself what an earlier
   * run of it has done, and answers as that one did: it runs again when an outcome is unknown, a
   * bounded number of times. Before it concludes anything it must write, lock, or meet the unique
   * key of a row that the earlier run has written, so that it waits for one that may yet commit.
   *
   * @throws UnknownOutcomeException if the outcome cannot be found out; nothing may be acknowledged
   */
  default <T> T repeating(String name, Supplier<T> work) {
    return new CommitOutcome<>(this, name, work, null).settle();
  }

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
