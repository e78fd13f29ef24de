package io.millrace.jobtracker.store.jdbc.row;

import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.Pause;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code jt_job}: column mapping in both directions, without the write sequence and the
 * run counts.
 */
public final class JobRowMapper {
  private static final RowColumns<Pause> PAUSE =
      RowColumns.<Pause>of()
          .text("paused_by", Pause::by)
          .number("paused_at", Pause::at)
          .text("pause_reason", Pause::reason);

  /** The columns that an edit may change, except parameters. */
  public static final RowColumns<JobDefinition> EDITABLE =
      RowColumns.<JobDefinition>of()
          .number("version", JobDefinition::version)
          .name("state", JobDefinition::state)
          .json("schedule", JobDefinition::schedule)
          .json("spec", JobDefinition::spec)
          .number("priority", JobDefinition::priority)
          .number("accepted_at", JobDefinition::acceptedAt)
          .number("generated_until", JobDefinition::generatedUntil)
          .number("generate_at", JobDefinition::generateAt)
          .number("fired_count", JobDefinition::firedCount)
          .flag("exhausted", JobDefinition::exhausted)
          .part(JobDefinition::pause, PAUSE);

  public static final RowColumns<JobDefinition> EDITABLE_AND_PARAMS =
      EDITABLE.params(JobDefinition::params, JobRowMapper::nameOf);

  public static final RowColumns<JobDefinition> COLUMNS =
      RowColumns.<JobDefinition>of()
          .number("id", JobDefinition::id)
          .text("node_group", JobDefinition::nodeGroup)
          .text("task_id", JobDefinition::taskId)
          .part(job -> job, EDITABLE_AND_PARAMS);

  private JobRowMapper() {}

  public static String nameOf(JobDefinition job) {
    return "job " + job.id() + " (" + job.nodeGroup() + "/" + job.taskId() + ")";
  }

  public static JobDefinition read(ResultSet row, int rowNumber) throws SQLException {
    return new JobDefinition(
        row.getLong("id"),
        row.getString("node_group"),
        row.getString("task_id"),
        row.getInt("version"),
        JobState.valueOf(row.getString("state")),
        Columns.readJson(row, "schedule", Schedule.class),
        Columns.readJson(row, "spec", TriggerSpec.class),
        TriggerColumns.readParams(row),
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
