package io.millrace.jobtracker.store.jdbc.row;

import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A row of {@code jt_executing}: column mapping in both directions. */
public final class ExecutingRowMapper {
  public static final RowColumns<Execution> COLUMNS =
      RowColumns.<Execution>of()
          .number("id", Execution::id)
          .text("node_group", Execution::nodeGroup)
          .part(Execution::core, TriggerColumns.CORE)
          .number("due_at", Execution::dueAt)
          .number("priority", Execution::priority)
          .number("generated_at", Execution::generatedAt)
          .json("spec", Execution::spec)
          .text("worker_id", Execution::workerId)
          .number("claimed_at", Execution::claimedAt)
          .flag("stop_requested", Execution::stopRequested)
          .flag("counted", Execution::counted)
          .text("terminated_by", Execution::terminatedBy)
          .params(Execution::params, Execution::key);

  private ExecutingRowMapper() {}

  public static Execution read(ResultSet row, int rowNumber) throws SQLException {
    return new Execution(
        row.getLong("id"),
        row.getString("node_group"),
        TriggerColumns.readCore(row),
        row.getLong("due_at"),
        row.getInt("priority"),
        row.getLong("generated_at"),
        Columns.readJson(row, "spec", TriggerSpec.class),
        TriggerColumns.readParams(row),
        row.getString("worker_id"),
        row.getLong("claimed_at"),
        row.getBoolean("stop_requested"),
        row.getBoolean("counted"),
        row.getString("terminated_by"));
  }
}
