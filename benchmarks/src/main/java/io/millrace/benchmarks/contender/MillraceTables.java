package io.millrace.benchmarks.contender;

import io.millrace.api.Job;
import io.millrace.jobtracker.store.jdbc.sql.WaitingTableName;
import java.sql.SQLException;

/** The node groups of a tracker, and the contents of its tables. */
public final class MillraceTables {
  static final String GROUP = "bench";

  /** The lane is the first column of the index, without which all rows that wait are read. */
  private static final String WAITING =
      "SELECT COUNT(*) FROM %s WHERE lane = 0 AND priority = "
          + Job.DEFAULT_PRIORITY
          + " AND due_at < ?";

  private MillraceTables() {}

  /** Returns the name of a node group by its number, from 0. */
  public static String group(int number) {
    return number == 0 ? GROUP : GROUP + "-" + number;
  }

  /** Returns the name of the table in which the jobs of a node group wait. */
  public static String waiting(int group) {
    return WaitingTableName.of(group(group)).toString();
  }

  /**
   * Returns the number of jobs of these node groups that are due before an instant, in epoch
   * milliseconds, and whose end is not committed.
   */
  static long unfinished(TableView view, int groups, long dueBefore) throws SQLException {
    // Rows move from the first tables to the last one, so reading them in this order misses none.
    long waiting = 0;
    for (int group = 0; group < groups; group++) {
      waiting += view.number(WAITING.formatted(waiting(group)), dueBefore);
    }
    return waiting + view.number("SELECT COUNT(*) FROM jt_executing");
  }

  static long finished(TableView view) throws SQLException {
    return view.number("SELECT COUNT(*) FROM jt_history WHERE status = 'SUCCEEDED'");
  }
}
