package io.millrace.jobtracker.store.jdbc.row;

import io.millrace.common.codec.Codec;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.Submission;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.Parameters;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A row of a waiting table: column mapping in both directions. */
public final class WaitingRowMapper {
  public static final List<String> COLUMNS =
      List.of(
          "id",
          "task_id",
          "planned_at",
          "ordinal",
          "job_id",
          "job_version",
          "planned_for",
          "due_at",
          "priority",
          "attempt",
          "generated_at",
          "begun",
          "submission_id",
          "submitted_by",
          "replay_of",
          "next_at",
          "spec",
          "params_bytes",
          "params");

  private final Codec codec;

  public WaitingRowMapper(Codec codec) {
    this.codec = codec;
  }

  public void bind(WaitingTrigger trigger, Parameters parameters) throws SQLException {
    TriggerSpec spec = trigger.spec();
    Submission submission = trigger.submission();
    parameters.number(trigger.id());
    Columns.bindKey(trigger.key(), parameters);
    parameters
        .number(trigger.jobId())
        .number(trigger.jobVersion())
        .number(trigger.plannedFor())
        .number(trigger.dueAt())
        .number(trigger.priority())
        .number(trigger.attempt())
        .number(trigger.generatedAt())
        .flag(trigger.begun())
        .text(submission == null ? null : submission.id())
        .text(submission == null ? null : submission.by())
        .numberOrNull(replayOf(trigger))
        .numberOrNull(trigger.nextAt())
        .text(spec == null ? null : codec.encodeText(spec));
    Columns.bindParams(trigger.params(), trigger.key(), parameters);
  }

  public WaitingTrigger read(ResultSet row, int rowNumber) throws SQLException {
    String spec = row.getString("spec");
    return new WaitingTrigger(
        row.getLong("id"),
        Columns.readKey(row),
        row.getLong("job_id"),
        row.getInt("job_version"),
        row.getLong("planned_for"),
        row.getLong("due_at"),
        row.getInt("priority"),
        row.getInt("attempt"),
        row.getLong("generated_at"),
        spec == null ? null : codec.decodeText(spec, TriggerSpec.class),
        new StoredParams(row.getInt("params_bytes"), row.getString("params")),
        row.getBoolean("begun"),
        readSubmission(row),
        Columns.readLongOrNull(row, "next_at"));
  }

  /** The spec of a one-shot contains the value; the column is for readers of the table. */
  private static @Nullable Long replayOf(WaitingTrigger trigger) {
    Submission submission = trigger.submission();
    if (submission != null) {
      return submission.replayOf();
    }
    return trigger.spec() == null ? null : trigger.spec().replayOf();
  }

  private static @Nullable Submission readSubmission(ResultSet row) throws SQLException {
    String id = row.getString("submission_id");
    return id == null
        ? null
        : new Submission(
            id, row.getString("submitted_by"), Columns.readLongOrNull(row, "replay_of"));
  }
}
