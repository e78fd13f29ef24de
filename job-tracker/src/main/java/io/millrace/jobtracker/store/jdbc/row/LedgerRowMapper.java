package io.millrace.jobtracker.store.jdbc.row;

import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.Parameters;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** A row of {@code jt_history}: column mapping in both directions. */
public final class LedgerRowMapper {
  public static final List<String> COLUMNS =
      List.of(
          "id",
          "node_group",
          "task_id",
          "planned_at",
          "ordinal",
          "job_id",
          "job_version",
          "status",
          "is_final",
          "reported",
          "cause",
          "attempt",
          "planned_for",
          "planned_to",
          "instants",
          "due_at",
          "generated_at",
          "claimed_at",
          "started_at",
          "finished_at",
          "worker_id",
          "handler",
          "message",
          "submission_id",
          "submitted_by",
          "trace_parent",
          "replay_of");

  private LedgerRowMapper() {}

  public static void bind(LedgerEntry end, Parameters parameters) throws SQLException {
    parameters.number(end.id()).text(end.nodeGroup());
    Columns.bindKey(end.key(), parameters);
    parameters
        .number(end.jobId())
        .number(end.jobVersion())
        .name(end.status())
        .flag(end.status().isFinal())
        .flag(end.reported());
    Columns.bindCause(end.cause(), parameters);
    parameters
        .number(end.attempt())
        .number(end.plannedFor())
        .number(end.plannedTo())
        .number(end.instants())
        .number(end.dueAt())
        .number(end.generatedAt())
        .numberOrNull(end.claimedAt())
        .numberOrNull(end.startedAt())
        .number(end.finishedAt())
        .text(end.workerId())
        .text(end.handler())
        .text(Columns.bounded(end.message(), Columns.MESSAGE_CHARS))
        .text(end.submissionId())
        .text(end.submittedBy())
        .text(end.traceParent())
        .numberOrNull(end.replayOf());
  }

  public static LedgerEntry read(ResultSet row, int rowNumber) throws SQLException {
    return new LedgerEntry(
        row.getLong("id"),
        row.getString("node_group"),
        Columns.readKey(row),
        row.getLong("job_id"),
        row.getInt("job_version"),
        LedgerStatus.valueOf(row.getString("status")),
        row.getBoolean("reported"),
        Columns.readCause(row),
        row.getInt("attempt"),
        row.getLong("planned_for"),
        row.getLong("planned_to"),
        row.getLong("instants"),
        row.getLong("due_at"),
        row.getLong("generated_at"),
        Columns.readLongOrNull(row, "claimed_at"),
        Columns.readLongOrNull(row, "started_at"),
        row.getLong("finished_at"),
        row.getString("worker_id"),
        row.getString("handler"),
        row.getString("message"),
        row.getString("submission_id"),
        row.getString("submitted_by"),
        row.getString("trace_parent"),
        Columns.readLongOrNull(row, "replay_of"));
  }
}
