package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.store.console.AuditStore;
import io.millrace.jobtracker.store.console.Role;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.Parameters;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table {@code jt_audit}. */
final class JdbcAuditStore implements AuditStore {
  private static final int ADDRESS_CHARS = 64;
  private static final int TARGET_CHARS = 1_024;
  private static final int DETAIL_CHARS = 4_000;
  private static final int OUTCOME_CHARS = 1_000;
  private static final List<String> COLUMNS =
      List.of(
          "id",
          "asked_at",
          "operator",
          "role",
          "address",
          "action",
          "target",
          "detail",
          "status",
          "outcome");

  private final Database database;

  JdbcAuditStore(Database database) {
    this.database = database;
  }

  @Override
  public void append(Entry entry) {
    database.run(
        "append to the audit that " + entry.operator() + " asked for " + entry.action(),
        () -> {
          int unused =
              database
                  .jdbc()
                  .update(
                      RowInsert.statement("jt_audit", COLUMNS, 1),
                      statement ->
                          new Parameters(statement)
                              .number(entry.id())
                              .number(entry.askedAt())
                              .text(entry.operator())
                              .name(entry.role())
                              .text(Columns.bounded(entry.address(), ADDRESS_CHARS))
                              .text(entry.action())
                              .text(Columns.bounded(entry.target(), TARGET_CHARS))
                              .text(Columns.bounded(entry.detail(), DETAIL_CHARS))
                              .numberOrNull(entry.status())
                              .text(Columns.bounded(entry.outcome(), OUTCOME_CHARS)));
        });
  }

  @Override
  public void conclude(long id, int status, @Nullable String outcome) {
    database.run(
        "conclude entry " + id + " of the audit",
        () -> {
          int unused =
              database
                  .sql(
                      "UPDATE jt_audit SET status = :status, outcome = :outcome"
                          + " WHERE id = :id AND status IS NULL")
                  .param("status", status)
                  .param("outcome", Columns.bounded(outcome, OUTCOME_CHARS))
                  .param("id", id)
                  .update();
        });
  }

  /** Bounds the rows before it filters them, so that a search for a rare operator costs no more. */
  @Override
  public Found search(Query query, int limit, int lookAt) {
    String lookedAt =
        "SELECT %s FROM jt_audit WHERE id < :belowId ORDER BY id DESC LIMIT :lookAt"
            .formatted(String.join(", ", COLUMNS));
    String sql =
        "SELECT * FROM ("
            + lookedAt
            + ") AS looked_at"
            + " WHERE (:operator IS NULL OR operator = :operator)"
            + " AND (:action IS NULL OR action = :action)"
            + " ORDER BY id DESC LIMIT :limit";
    return database.call(
        "search the audit",
        () -> {
          List<Entry> entries =
              database
                  .sql(sql)
                  .param("belowId", query.belowId())
                  .param("lookAt", lookAt)
                  .param("operator", query.operator(), java.sql.Types.VARCHAR)
                  .param("action", query.action(), java.sql.Types.VARCHAR)
                  .param("limit", limit)
                  .query(JdbcAuditStore::read)
                  .list();
          return new Found(
              entries,
              entries.size() == limit
                  ? (Long) entries.get(limit - 1).id()
                  : lowestOf(query.belowId(), lookAt));
        });
  }

  @Override
  public int deleteBelow(long belowId, int limit) {
    String sql = database.dialect().deleteFirst("jt_audit", "id < :belowId", List.of("id"));
    return database.call(
        "delete entries of the audit below " + belowId,
        () -> database.sql(sql).param("belowId", belowId).param("limit", limit).update());
  }

  private @Nullable Long lowestOf(long belowId, int rows) {
    return database
        .sql("SELECT id FROM jt_audit WHERE id < :belowId ORDER BY id DESC LIMIT 1 OFFSET :offset")
        .param("belowId", belowId)
        .param("offset", rows - 1)
        .query(Long.class)
        .optional()
        .orElse(null);
  }

  private static Entry read(ResultSet row, int rowNumber) throws SQLException {
    int status = row.getInt("status");
    @Nullable Integer statusOrNull = row.wasNull() ? null : status;
    return new Entry(
        row.getLong("id"),
        row.getLong("asked_at"),
        row.getString("operator"),
        Role.valueOf(row.getString("role")),
        row.getString("address"),
        row.getString("action"),
        row.getString("target"),
        row.getString("detail"),
        statusOrNull,
        row.getString("outcome"));
  }
}
