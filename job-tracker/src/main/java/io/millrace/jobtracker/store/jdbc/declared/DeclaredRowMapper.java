package io.millrace.jobtracker.store.jdbc.declared;

import io.millrace.api.DeclareResult.Change;
import io.millrace.jobtracker.domain.job.DeclaredDefinition;
import io.millrace.jobtracker.domain.job.DeclaredJob;
import io.millrace.jobtracker.domain.job.DeclaredJob.Former;
import io.millrace.jobtracker.domain.job.DeclaredJob.Latest;
import io.millrace.jobtracker.domain.job.DeclaredJob.Retirement;
import io.millrace.jobtracker.domain.job.Pause;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A row of {@code jt_declared}: column mapping in both directions. */
final class DeclaredRowMapper {
  private static final int MESSAGE_CHARS = 1000;

  private static final RowColumns<Pause> PAUSE =
      RowColumns.<Pause>of()
          .text("paused_by", Pause::by)
          .number("paused_at", Pause::at)
          .text("pause_reason", Pause::reason);

  static final RowColumns<Latest> LATEST =
      RowColumns.<Latest>of()
          .text("owner", Latest::owner)
          .number("revision", Latest::revision)
          .text("declaration_id", Latest::declarationId)
          .number("page", Latest::page)
          .name("change_kind", Latest::change)
          .text("message", MESSAGE_CHARS, Latest::message);

  static final RowColumns<DeclaredJob> COLUMNS =
      RowColumns.<DeclaredJob>of()
          .number("id", DeclaredJob::id)
          .text("node_group", DeclaredJob::nodeGroup)
          .text("task_id", DeclaredJob::taskId)
          .part(DeclaredJob::latest, LATEST)
          .json("definition", DeclaredJob::definition)
          .text("submission_id", DeclaredJob::submissionId)
          .number("declared_at", DeclaredJob::declaredAt)
          .number("retired_at", DeclaredRowMapper::retiredAt)
          .part(DeclaredRowMapper::pauseOf, PAUSE)
          .text("previous", row -> row.former().digest())
          .number("reverts", row -> row.former().reverts());

  private DeclaredRowMapper() {}

  private static @Nullable Long retiredAt(DeclaredJob row) {
    Retirement retirement = row.retirement();
    return retirement == null ? null : (Long) retirement.at();
  }

  private static @Nullable Pause pauseOf(DeclaredJob row) {
    Retirement retirement = row.retirement();
    return retirement == null ? null : retirement.pause();
  }

  static String nameOf(DeclaredJob row) {
    return "declared job " + row.nodeGroup() + "/" + row.taskId();
  }

  static DeclaredJob read(ResultSet row, int rowNumber) throws SQLException {
    return new DeclaredJob(
        row.getLong("id"),
        row.getString("node_group"),
        row.getString("task_id"),
        readLatest(row),
        Columns.readJson(row, "definition", DeclaredDefinition.class),
        row.getString("submission_id"),
        row.getLong("declared_at"),
        readRetirement(row),
        new Former(row.getString("previous"), row.getInt("reverts")));
  }

  private static Latest readLatest(ResultSet row) throws SQLException {
    return new Latest(
        row.getString("owner"),
        Columns.readLongOrNull(row, "revision"),
        row.getString("declaration_id"),
        row.getInt("page"),
        Change.valueOf(row.getString("change_kind")),
        row.getString("message"));
  }

  private static @Nullable Retirement readRetirement(ResultSet row) throws SQLException {
    Long at = Columns.readLongOrNull(row, "retired_at");
    if (at == null) {
      return null;
    }
    String by = row.getString("paused_by");
    return new Retirement(
        at,
        by == null ? null : new Pause(by, row.getLong("paused_at"), row.getString("pause_reason")));
  }
}
