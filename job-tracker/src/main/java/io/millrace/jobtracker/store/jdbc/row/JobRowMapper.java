package io.millrace.jobtracker.store.jdbc.row;

import io.millrace.common.codec.Codec;
import io.millrace.common.model.Schedule;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.Pause;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.Parameters;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code jt_job}: column mapping in both directions, without the write sequence and the
 * run counts.
 */
public final class JobRowMapper {

  /**
   * The columns that an edit may change, except parameters, in the order of {@link #bindEditable}.
   */
  public static final List<String> EDITABLE =
      List.of(
          "version",
          "state",
          "schedule",
          "spec",
          "priority",
          "accepted_at",
          "generated_until",
          "generate_at",
          "fired_count",
          "exhausted",
          "paused_by",
          "paused_at",
          "pause_reason");

  public static final List<String> COLUMNS =
      List.of(
          "id",
          "node_group",
          "task_id",
          "version",
          "state",
          "schedule",
          "spec",
          "priority",
          "accepted_at",
          "generated_until",
          "generate_at",
          "fired_count",
          "exhausted",
          "paused_by",
          "paused_at",
          "pause_reason",
          "params_bytes",
          "params");

  private final Codec codec;

  public JobRowMapper(Codec codec) {
    this.codec = codec;
  }

  public void bind(JobDefinition job, Parameters parameters) throws SQLException {
    parameters.number(job.id()).text(job.nodeGroup()).text(job.taskId());
    bindEditable(job, parameters);
    Columns.bindParams(job.params(), "job " + job.id(), parameters);
  }

  public void bindEditable(JobDefinition job, Parameters parameters) throws SQLException {
    Pause pause = job.pause();
    parameters
        .number(job.version())
        .name(job.state())
        .text(codec.encodeText(job.schedule()))
        .text(codec.encodeText(job.spec()))
        .number(job.priority())
        .number(job.acceptedAt())
        .number(job.generatedUntil())
        .numberOrNull(job.generateAt())
        .number(job.firedCount())
        .flag(job.exhausted())
        .text(pause == null ? null : pause.by())
        .numberOrNull(pause == null ? null : pause.at())
        .text(pause == null ? null : pause.reason());
  }

  public JobDefinition read(ResultSet row, int rowNumber) throws SQLException {
    return new JobDefinition(
        row.getLong("id"),
        row.getString("node_group"),
        row.getString("task_id"),
        row.getInt("version"),
        JobState.valueOf(row.getString("state")),
        codec.decodeText(row.getString("schedule"), Schedule.class),
        codec.decodeText(row.getString("spec"), TriggerSpec.class),
        new StoredParams(row.getInt("params_bytes"), row.getString("params")),
        row.getInt("priority"),
        row.getLong("accepted_at"),
        row.getLong("generated_until"),
        Columns.readLongOrNull(row, "generate_at"),
        row.getLong("fired_count"),
        row.getBoolean("exhausted"),
        readPause(row));
  }

  private static @Nullable Pause readPause(ResultSet row) throws SQLException {
    String by = row.getString("paused_by");
    return by == null
        ? null
        : new Pause(by, row.getLong("paused_at"), row.getString("pause_reason"));
  }
}
