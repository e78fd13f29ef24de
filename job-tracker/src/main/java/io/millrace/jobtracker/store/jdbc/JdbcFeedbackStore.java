package io.millrace.jobtracker.store.jdbc;

import io.millrace.api.Disposition;
import io.millrace.api.TriggerResult;
import io.millrace.jobtracker.domain.outcome.Feedback;
import io.millrace.jobtracker.store.FeedbackStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.row.RowsById;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The table {@code jt_feedback}. */
final class JdbcFeedbackStore implements FeedbackStore {
  private static final RowColumns<TriggerResult> RESULT =
      RowColumns.<TriggerResult>of()
          .text("node_group", TriggerResult::nodeGroup)
          .text("task_id", TriggerResult::taskId)
          .number("planned_for", result -> result.plannedFor().toEpochMilli())
          .number("ordinal", TriggerResult::ordinal)
          .name("disposition", TriggerResult::disposition)
          .number("attempt", TriggerResult::attempt)
          .text("message", Columns.MESSAGE_CHARS, TriggerResult::message)
          .number("finished_at", result -> result.finishedAt().toEpochMilli());
  private static final RowColumns<Feedback> COLUMNS =
      RowColumns.<Feedback>of()
          .number("id", Feedback::id)
          .text("client_group", Feedback::clientGroup)
          .part(Feedback::result, RESULT)
          .number("execution_id", Feedback::executionId);

  private static final String SELECT = "SELECT " + COLUMNS.list() + " FROM jt_feedback ";

  private final Database database;
  private final RowsById byId;
  private final RowInsert<Feedback> insert = RowInsert.into("jt_feedback", COLUMNS, row -> 0);

  JdbcFeedbackStore(Database database) {
    this.database = database;
    this.byId = new RowsById(database, "jt_feedback");
  }

  @Override
  public void append(List<Feedback> feedback) {
    database.insert("append " + feedback.size() + " rows of feedback", insert, feedback);
  }

  /** ORDER BY names every column of the index: H2 would sort all rows otherwise. */
  @Override
  public List<Feedback> read(String clientGroup, long aboveId, int limit) {
    return database.list(
        "read feedback of client group " + clientGroup,
        SELECT
            + """
            WHERE client_group = :clientGroup AND id > :aboveId
            ORDER BY client_group, id
            LIMIT :limit""",
        Map.of("clientGroup", clientGroup, "aboveId", aboveId, "limit", limit),
        JdbcFeedbackStore::read);
  }

  @Override
  public List<Unacknowledged> readBelow(long belowId, int limit) {
    return database.list(
        "read feedback below " + belowId,
        """
        SELECT id, client_group FROM jt_feedback %s
        WHERE id < :belowId ORDER BY id LIMIT :limit"""
            .formatted(database.dialect().keyIndexHint()),
        Map.of("belowId", belowId, "limit", limit),
        (row, number) -> new Unacknowledged(row.getLong("id"), row.getString("client_group")));
  }

  @Override
  public void delete(Collection<Long> ids) {
    byId.delete(ids);
  }

  private static Feedback read(ResultSet row, int rowNumber) throws SQLException {
    TriggerResult result =
        new TriggerResult(
            row.getString("node_group"),
            row.getString("task_id"),
            Instant.ofEpochMilli(row.getLong("planned_for")),
            row.getInt("ordinal"),
            Disposition.valueOf(row.getString("disposition")),
            row.getInt("attempt"),
            row.getString("message"),
            Instant.ofEpochMilli(row.getLong("finished_at")));
    return new Feedback(
        row.getLong("id"),
        row.getString("client_group"),
        result,
        Columns.readLongOrNull(row, "execution_id"));
  }
}
