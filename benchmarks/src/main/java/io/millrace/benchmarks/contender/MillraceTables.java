package io.millrace.benchmarks.contender;

import io.millrace.common.model.Job;
import java.sql.SQLException;

/** What stands in the tables of a tracker. */
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
    // A row moves from the first to the second: in this order none is missed.
    long waiting = view.number(WAITING, dueBefore);
    return waiting + view.number("SELECT COUNT(*) FROM jt_executing");
  }

  static long finished(TableView view) throws SQLException {
    return view.number("SELECT COUNT(*) FROM jt_history WHERE status = 'SUCCEEDED'");
  }
}
