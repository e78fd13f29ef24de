package io.millrace.benchmarks.contender;

/** A part that has the database, and is asked what stands in it. */
public interface Tables extends Part {
  /** What {@link #finished} says if the contender keeps no record of what it has done. */
  long NO_RECORD = -1;

  /**
   * Jobs due before an instant, in epoch milliseconds, whose end is not committed, by the rows that
   * another connection sees.
   */
  long unfinished(long dueBefore) throws Exception;

  /** Jobs whose successful end stands in the tables, or {@link #NO_RECORD}. */
  long finished() throws Exception;

  /** The connection by which the tables are looked at. */
  TableView view();
}
