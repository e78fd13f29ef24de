package io.millrace.jobtracker.store.jdbc.row;

import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Columns that several tables of triggers have in common. */
final class TriggerColumns {
  private static final int CAUSE_CHARS = 255;

  static final RowColumns<TriggerCore> CORE =
      RowColumns.<TriggerCore>of()
          .text("task_id", core -> core.key().taskId())
          .number("planned_at", core -> core.key().plannedAt())
          .number("ordinal", core -> core.key().ordinal())
          .number("job_id", TriggerCore::jobId)
          .number("job_version", TriggerCore::jobVersion)
          .number("planned_for", TriggerCore::plannedFor)
          .number("attempt", TriggerCore::attempt);

  /** A cause in its encoding, cut off where the column ends. */
  static final RowColumns<Cause> CAUSE =
      RowColumns.<Cause>of().text("cause", CAUSE_CHARS, Cause::encode);

  private TriggerColumns() {}

  static TriggerCore readCore(ResultSet row) throws SQLException {
    return new TriggerCore(
        Columns.readKey(row),
        row.getLong("job_id"),
        row.getInt("job_version"),
        row.getLong("planned_for"),
        row.getInt("attempt"));
  }

  static @Nullable Cause readCause(ResultSet row) throws SQLException {
    String text = row.getString("cause");
    return text == null ? null : Cause.decode(text);
  }

  static StoredParams readParams(ResultSet row) throws SQLException {
    return new StoredParams(row.getInt("params_bytes"), row.getString("params"));
  }
}
