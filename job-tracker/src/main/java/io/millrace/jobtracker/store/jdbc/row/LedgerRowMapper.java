package io.millrace.jobtracker.store.jdbc.row;

import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Origin;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Times;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A row of {@code jt_history}: column mapping in both directions. */
public final class LedgerRowMapper {
  private static final RowColumns<Times> TIMES =
      RowColumns.<Times>of()
          .number("due_at", Times::dueAt)
          .number("generated_at", Times::generatedAt)
          .number("claimed_at", Times::claimedAt)
          .number("started_at", Times::startedAt)
          .number("finished_at", Times::finishedAt);
  private static final RowColumns<Origin> ORIGIN =
      RowColumns.<Origin>of()
          .text("handler", Origin::handler)
          .text("submission_id", Origin::submissionId)
          .text("submitted_by", Origin::submittedBy)
          .text("trace_parent", Origin::traceParent)
          .number("replay_of", Origin::replayOf);

  public static final RowColumns<LedgerEntry> COLUMNS =
      RowColumns.<LedgerEntry>of()
          .number("id", LedgerEntry::id)
          .text("node_group", LedgerEntry::nodeGroup)
          .part(LedgerEntry::core, TriggerColumns.CORE)
          .name("status", LedgerEntry::status)
          .flag("is_final", end -> end.status().isFinal())
          .flag("reported", LedgerEntry::reported)
          .part(LedgerEntry::cause, TriggerColumns.CAUSE)
          .number("planned_to", LedgerEntry::plannedTo)
          .number("instants", LedgerEntry::instants)
          .part(LedgerEntry::times, TIMES)
          .text("worker_id", LedgerEntry::workerId)
          .text("message", Columns.MESSAGE_CHARS, LedgerEntry::message)
          .part(LedgerEntry::origin, ORIGIN);

  private LedgerRowMapper() {}

  public static LedgerEntry read(ResultSet row, int rowNumber) throws SQLException {
    return new LedgerEntry(
        row.getLong("id"),
        row.getString("node_group"),
        TriggerColumns.readCore(row),
        LedgerStatus.valueOf(row.getString("status")),
        row.getBoolean("reported"),
        TriggerColumns.readCause(row),
        row.getLong("planned_to"),
        row.getLong("instants"),
        new Times(
            row.getLong("due_at"),
            row.getLong("generated_at"),
            Columns.readLongOrNull(row, "claimed_at"),
            Columns.readLongOrNull(row, "started_at"),
            row.getLong("finished_at")),
        row.getString("worker_id"),
        row.getString("message"),
        new Origin(
            row.getString("handler"),
            row.getString("submission_id"),
            row.getString("submitted_by"),
            row.getString("trace_parent"),
            Columns.readLongOrNull(row, "replay_of")));
  }
}
