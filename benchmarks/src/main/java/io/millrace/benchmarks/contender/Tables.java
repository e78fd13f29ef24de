package io.millrace.benchmarks.contender;

/** A part with the database, which is asked for its contents. */
public interface Tables extends Part {
  /** The value of {@link #finished} if the contender keeps no record of completed jobs. */
  long NO_RECORD = -1;

  /**
   * Returns the number of jobs that are due before an instant, in epoch milliseconds, and whose end
   * is not committed, as another connection sees it.
   */
  long unfinished(long dueBefore) throws Exception;

  /** Returns the number of jobs whose success is recorded in the tables, or {@link #NO_RECORD}. */
  long finished() throws Exception;

  /** Returns the connection that reads the tables. */
  TableView view();
}
