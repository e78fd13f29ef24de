package io.millrace.jobtracker.store.jdbc.row;

import io.millrace.jobtracker.domain.trigger.Placement;
import io.millrace.jobtracker.domain.trigger.Submission;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.WaitingStore;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A row of a waiting table: column mapping in both directions. */
public final class WaitingRowMapper {
  private static final RowColumns<Submission> SUBMISSION =
      RowColumns.<Submission>of()
          .text("submission_id", Submission::id)
          .text("submitted_by", Submission::by);

  public static final RowColumns<WaitingTrigger> COLUMNS =
      RowColumns.<WaitingTrigger>of()
          .number("id", WaitingTrigger::id)
          .part(WaitingTrigger::core, TriggerColumns.CORE)
          .number("due_at", WaitingTrigger::dueAt)
          .number("priority", WaitingTrigger::priority)
          .number("generated_at", WaitingTrigger::generatedAt)
          .flag("begun", WaitingTrigger::begun)
          .part(WaitingTrigger::submission, SUBMISSION)
          .number("replay_of", WaitingRowMapper::replayOf)
          .number("next_at", WaitingTrigger::nextAt)
          .number("lane", WaitingTrigger::lane)
          .text("stick_to", row -> row.placement().stickTo())
          .json("spec", WaitingTrigger::spec)
          .params(WaitingTrigger::params, WaitingTrigger::key);

  private WaitingRowMapper() {}

  public static WaitingTrigger read(ResultSet row, int rowNumber) throws SQLException {
    return new WaitingTrigger(
        row.getLong("id"),
        TriggerColumns.readCore(row),
        row.getLong("due_at"),
        row.getInt("priority"),
        row.getLong("generated_at"),
        Columns.readJsonOrNull(row, "spec", TriggerSpec.class),
        TriggerColumns.readParams(row),
        row.getBoolean("begun"),
        readSubmission(row),
        Columns.readLongOrNull(row, "next_at"),
        readPlacement(row));
  }

  private static Placement readPlacement(ResultSet row) throws SQLException {
    int lane = row.getInt("lane");
    String stickTo = row.getString("stick_to");
    return lane == 0 && stickTo == null ? Placement.ANYWHERE : new Placement(lane, stickTo);
  }

  /** The counts of one task id, by the names of their columns. */
  public static WaitingStore.Tally readTally(ResultSet row, int rowNumber) throws SQLException {
    return new WaitingStore.Tally(
        row.getString("task_id"),
        row.getInt("planned"),
        row.getInt("ahead"),
        row.getInt("begun"),
        row.getInt("held"));
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
