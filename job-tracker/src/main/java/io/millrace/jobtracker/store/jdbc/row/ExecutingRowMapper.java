package io.millrace.jobtracker.store.jdbc.row;

import io.millrace.common.codec.Codec;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.Parameters;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** A row of {@code jt_executing}: column mapping in both directions. */
public final class ExecutingRowMapper {
  public static final List<String> COLUMNS =
      List.of(
          "id",
          "node_group",
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
          "spec",
          "worker_id",
          "claimed_at",
          "stop_requested",
          "counted",
          "terminated_by",
          "params_bytes",
          "params");

  private final Codec codec;

  public ExecutingRowMapper(Codec codec) {
    this.codec = codec;
  }

  public void bind(Execution execution, Parameters parameters) throws SQLException {
    parameters.number(execution.id()).text(execution.nodeGroup());
    Columns.bindKey(execution.key(), parameters);
    parameters
        .number(execution.jobId())
        .number(execution.jobVersion())
        .number(execution.plannedFor())
        .number(execution.dueAt())
        .number(execution.priority())
        .number(execution.attempt())
        .number(execution.generatedAt())
        .text(codec.encodeText(execution.spec()))
        .text(execution.workerId())
        .number(execution.claimedAt())
        .flag(execution.stopRequested())
        .flag(execution.counted())
        .text(execution.terminatedBy());
    Columns.bindParams(execution.params(), execution.key(), parameters);
  }

  public Execution read(ResultSet row, int rowNumber) throws SQLException {
    return new Execution(
        row.getLong("id"),
        row.getString("node_group"),
        Columns.readKey(row),
        row.getLong("job_id"),
        row.getInt("job_version"),
        row.getLong("planned_for"),
        row.getLong("due_at"),
        row.getInt("priority"),
        row.getInt("attempt"),
        row.getLong("generated_at"),
        codec.decodeText(row.getString("spec"), TriggerSpec.class),
        new StoredParams(row.getInt("params_bytes"), row.getString("params")),
        row.getString("worker_id"),
        row.getLong("claimed_at"),
        row.getBoolean("stop_requested"),
        row.getBoolean("counted"),
        row.getString("terminated_by"));
  }
}
