package io.millrace.jobtracker.store.jdbc;

import io.millrace.common.model.Disposition;
import io.millrace.common.model.TriggerResult;
import io.millrace.jobtracker.domain.outcome.Feedback;
import io.millrace.jobtracker.store.FeedbackStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.row.RowsById;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.Parameters;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** The table {@code jt_feedback}. */
final class JdbcFeedbackStore implements FeedbackStore {
  private static final List<String> COLUMNS =
      List.of(
          "id",
          "client_group",
          "node_group",
          "task_id",
          "planned_for",
          "ordinal",
          "disposition",
          "attempt",
          "message",
          "finished_at");

  private final Database database;
  private final RowsById byId;
  private final RowInsert<Feedback> insert =
      RowInsert.into("jt_feedback", COLUMNS, JdbcFeedbackStore::bind, row -> 0);

  JdbcFeedbackStore(Database database) {
    this.database = database;
    this.byId = new RowsById(database, "jt_feedback");
  }

  @Override
  public void append(List<Feedback> feedback) {
    database.run(
        "append " + feedback.size() + " rows of feedback",
        () -> insert.insert(database.jdbc(), feedback));
  }

  /** ORDER BY names every column of the index: H2 would sort all rows otherwise. */
  @Override
  public List<Feedback> read(String clientGroup, long aboveId, int limit) {
    String sql =
        "SELECT "
            + String.join(", ", COLUMNS)
            + """
             FROM jt_feedback
            WHERE client_group = :clientGroup AND id > :aboveId
            ORDER BY client_group, id
            LIMIT :limit""";
    return database.call(
        "read feedback of client group " + clientGroup,
        () ->
            database
                .sql(sql)
                .param("clientGroup", clientGroup)
                .param("aboveId", aboveId)
                .param("limit", limit)
                .query(JdbcFeedbackStore::read)
                .list());
  }

  @Override
  public List<Unacknowledged> readBelow(long belowId, int limit) {
    String sql =
        """
        SELECT id, client_group FROM jt_feedback %s
        WHERE id < :belowId ORDER BY id LIMIT :limit"""
            .formatted(database.dialect().keyIndexHint());
    return database.call(
        "read feedback below " + belowId,
        () ->
            database
                .sql(sql)
                .param("belowId", belowId)
                .param("limit", limit)
                .query(
                    (row, number) ->
                        new Unacknowledged(row.getLong("id"), row.getString("client_group")))
                .list());
  }

  @Override
  public void delete(Collection<Long> ids) {
    byId.delete(ids);
  }

  private static void bind(Feedback feedback, Parameters parameters) throws SQLException {
    TriggerResult result = feedback.result();
    parameters
        .number(feedback.id())
        .text(feedback.clientGroup())
        .text(result.nodeGroup())
        .text(result.taskId())
        .number(result.plannedFor().toEpochMilli())
        .number(result.ordinal())
        .name(result.disposition())
        .number(result.attempt())
        .text(Columns.bounded(result.message(), Columns.MESSAGE_CHARS))
        .number(result.finishedAt().toEpochMilli());
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
    return new Feedback(row.getLong("id"), row.getString("client_group"), result);
  }
}
