package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.store.console.AuditStore;
import io.millrace.jobtracker.store.console.Role;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.DirectedSql;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/** The table {@code jt_audit}. */
final class JdbcAuditStore implements AuditStore {
  private static final int ADDRESS_CHARS = 64;
  private static final int TARGET_CHARS = 1_024;
  private static final int JOB_CHARS = 255;
  private static final int DETAIL_CHARS = 4_000;
  private static final int OUTCOME_CHARS = 1_000;
  private static final RowColumns<Entry> COLUMNS =
      RowColumns.<Entry>of()
          .number("id", Entry::id)
          .number("asked_at", Entry::askedAt)
          .text("operator", Entry::operator)
          .name("role", Entry::role)
          .text("address", ADDRESS_CHARS, Entry::address)
          .text("action", Entry::action)
          .text("target", TARGET_CHARS, Entry::target)
          .text("job", JOB_CHARS, Entry::job)
          .text("detail", DETAIL_CHARS, Entry::detail)
          .number("status", Entry::status)
          .text("outcome", OUTCOME_CHARS, Entry::outcome);

  private final Database database;
  private final RowInsert<Entry> insert = RowInsert.into("jt_audit", COLUMNS, entry -> 0);

  JdbcAuditStore(Database database) {
    this.database = database;
  }

  @Override
  public void append(Entry entry) {
    database.insert(
        "append to the audit that " + entry.operator() + " asked for " + entry.action(),
        insert,
        List.of(entry));
  }

  @Override
  public void conclude(long id, int status, @Nullable String outcome) {
    database.update(
        "conclude entry " + id + " of the audit",
        """
        UPDATE jt_audit SET status = :status, outcome = :outcome
        WHERE id = :id AND status IS NULL""",
        new MapSqlParameterSource(Map.of("id", id, "status", status))
            .addValue("outcome", Columns.bounded(outcome, OUTCOME_CHARS), Types.VARCHAR));
  }

  /** Bounds the rows before it filters them, so that a search for a rare operator costs no more. */
  @Override
  public Found search(Query query, AgeOrder order, long behindId, int limit, int lookAt) {
    String sql =
        """
        SELECT * FROM (
          SELECT %s FROM %s LIMIT :lookAt) AS looked_at
        WHERE (:operator IS NULL OR operator = :operator)
          AND (:action IS NULL OR action = :action)
        ORDER BY id ${direction} LIMIT :limit"""
            .formatted(COLUMNS.list(), range(query));
    return database.call(
        "search the audit",
        () -> {
          List<Entry> entries =
              database
                  .sql(DirectedSql.of(sql, order))
                  .params(Map.of("behindId", behindId, "lookAt", lookAt, "limit", limit))
                  .param("job", query.job(), Types.VARCHAR)
                  .param("operator", query.operator(), Types.VARCHAR)
                  .param("action", query.action(), Types.VARCHAR)
                  .query(JdbcAuditStore::read)
                  .list();
          return new Found(
              entries,
              entries.size() == limit
                  ? (Long) entries.get(limit - 1).id()
                  : lastOf(query, order, behindId, lookAt));
        });
  }

  /** The rows behind an id: of the whole table, or of a job in order of its index. */
  private String range(Query query) {
    return query.job() == null
        ? "jt_audit WHERE id ${beyond} :behindId ORDER BY id ${direction}"
        : "jt_audit "
            + database.dialect().indexHint("ix_audit_job")
            + " WHERE job = :job AND id ${beyond} :behindId"
            + " ORDER BY job ${direction}, id ${direction}";
  }

  /** Returns the id of the last of the rows that a search looks at; null if there are fewer. */
  private @Nullable Long lastOf(Query query, AgeOrder order, long behindId, int lookAt) {
    return database
        .sql(
            DirectedSql.of(
                "SELECT id FROM %s LIMIT 1 OFFSET :offset".formatted(range(query)), order))
        .params(Map.of("behindId", behindId, "offset", lookAt - 1))
        .param("job", query.job(), Types.VARCHAR)
        .query(Long.class)
        .optional()
        .orElse(null);
  }

  @Override
  public int deleteBelow(long belowId, int limit) {
    String sql = database.dialect().deleteFirst("jt_audit", "id < :belowId", List.of("id"));
    return database.update(
        "delete entries of the audit below " + belowId,
        sql,
        Map.of("belowId", belowId, "limit", limit));
  }

  private static Entry read(ResultSet row, int rowNumber) throws SQLException {
    return new Entry(
        row.getLong("id"),
        row.getLong("asked_at"),
        row.getString("operator"),
        Role.valueOf(row.getString("role")),
        row.getString("address"),
        row.getString("action"),
        row.getString("target"),
        row.getString("job"),
        row.getString("detail"),
        Columns.readIntOrNull(row, "status"),
        row.getString("outcome"));
  }
}
