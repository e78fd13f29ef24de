package io.millrace.benchmarks.contender;

import io.millrace.api.Job;
import java.sql.SQLException;

/** The contents of a tracker's tables. */
final class MillraceTables {
  static final String GROUP = "bench";

  private static final String WAITING =
      "SELECT COUNT(*) FROM jt_waiting_"
          + GROUP
          + " WHERE priority = "
          + Job.DEFAULT_PRIORITY
          + " AND due_at < ?";

  private MillraceTables() {}

  static long unfinished(TableView view, long dueBefore) throws SQLException {
    // Rows move from the first table to the second one, so reading them in this order misses none.
    long waiting = view.number(WAITING, dueBefore);
    return waiting + view.number("SELECT COUNT(*) FROM jt_executing");
  }

  static long finished(TableView view) throws SQLException {
    return view.number("SELECT COUNT(*) FROM jt_history WHERE status = 'SUCCEEDED'");
  }
}
