package io.millrace.console.api.bulk;

import io.millrace.console.http.Caller;
import io.millrace.jobtracker.store.ListCounts.Bound;
import io.millrace.jobtracker.store.ListCounts.Count;
import io.millrace.jobtracker.store.console.BulkChangeStore.BulkChange;
import io.millrace.jobtracker.store.console.BulkChangeStore.Failure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the bulk changes of some actions change. Thread-safe; may block. */
interface BulkTarget<T> {

  /**
   * A page of what matches.
   *
   * @param items those that are to be changed; may be few or none although there are more
   * @param next where the next page begins; null if this is the last one
   */
  record Page<T>(List<T> items, @Nullable String next) {}

  /** A change of one that has begun. */
  @FunctionalInterface
  interface Begun {
    /** Waits for its end; returns why it was refused, or null if there is nothing left to do. */
    @Nullable String await() throws Exception;
  }

  /** Counts what matches now, as far as the bound allows. */
  Count count(BulkChange change, Bound bound);

  /**
   * Reads what matches now and was there when the change was requested.
   *
   * @param limit the most items of the page
   */
  Page<T> read(BulkChange change, int limit);

  /** Begins to change one. Doing so twice is harmless. */
  Begun begin(BulkChange change, Caller caller, T item) throws Exception;

  /** What is told of one that could not be changed. */
  Failure failure(T item, String why);
}
