package io.millrace.jobclient.internal.relay;

import io.millrace.jobclient.internal.relay.EnqueuedRow.Content;
import io.millrace.jobclient.internal.request.JobKey;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored requests. Rows are written one by one by their ids: a statement with a list of ids may
 * read the whole table, and would wait for rows that the application has not committed.
 * Thread-safe.
 */
final class EnqueuedRows {
  static final int PAGE_ROWS = 500;
  static final long PAGE_BYTES = 4 << 20;

  private static final int MESSAGE_CHARS = 1_000;
  private static final String REQUEST_COLUMNS =
      "submission_id, node_group, task_id, partition_no, kind, body, body_bytes, created_at,"
          + " first_sent_at";

  private final RelayDatabase database;
  private final RelayTables tables;

  EnqueuedRows(RelayDatabase database, RelayTables tables) {
    this.database = database;
    this.tables = tables;
  }

  /**
   * Some of the rows, in the order of their ids.
   *
   * @param now the time of the database, in epoch milliseconds
   * @param last the highest id
   * @param more whether there may be rows behind it
   */
  record Page(long now, List<EnqueuedRow> rows, long last, boolean more) {}

  /** The time of the database, and when the oldest row was inserted; null if there is no row. */
  record Oldest(long now, @Nullable Long createdAt) {
    long ageMillis() {
      return createdAt == null ? 0 : Math.max(0, now - createdAt);
    }
  }

  /** Returns the age of the row with the lowest id. */
  Oldest oldest() {
    String sql = "SELECT %s, (SELECT created_at FROM %s ORDER BY id LIMIT 1)";
    return database.inTransaction(
        "read the oldest row",
        (connection, now) -> {
          try (PreparedStatement statement =
                  connection.prepareStatement(sql.formatted(now, tables.rows()));
              ResultSet row = statement.executeQuery()) {
            boolean unused = row.next();
            return new Oldest(row.getLong(1), longOrNull(row, 2));
          }
        });
  }

  private static @Nullable Long longOrNull(ResultSet row, int column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : value;
  }

  /**
   * Reads rows of partitions: at most {@value #PAGE_ROWS}, and those after the first only while
   * their bodies fit into 4 MiB.
   *
   * @param after the rows have higher ids
   */
  Page read(Collection<Integer> partitions, long after) {
    return database.inTransaction(
        "read the rows after " + after,
        (connection, now) -> {
          List<Long> ids = new ArrayList<>();
          boolean more = findIds(connection, partitions, after, ids);
          if (ids.isEmpty()) {
            return new Page(0, List.of(), after, false);
          }
          return readRows(connection, now, ids, more);
        });
  }

  /** Finds the ids of a page; returns whether there may be more. */
  private boolean findIds(
      Connection connection, Collection<Integer> partitions, long after, List<Long> ids)
      throws SQLException {
    boolean all = partitions.size() == RelayTables.PARTITIONS;
    String sql =
        "SELECT id, body_bytes FROM %s WHERE id > ?%s ORDER BY id LIMIT %d"
            .formatted(
                tables.rows(),
                all ? "" : " AND partition_no IN (" + parameters(partitions.size()) + ")",
                PAGE_ROWS);
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, after);
      int place = 2;
      for (int partition : all ? List.<Integer>of() : partitions) {
        statement.setInt(place++, partition);
      }
      try (ResultSet rows = statement.executeQuery()) {
        long bytes = 0;
        while (rows.next()) {
          bytes += rows.getLong(2);
          if (bytes > PAGE_BYTES && !ids.isEmpty()) {
            return true;
          }
          ids.add(rows.getLong(1));
        }
      }
    }
    return ids.size() == PAGE_ROWS;
  }

  private static String parameters(int count) {
    return String.join(", ", Collections.nCopies(count, "?"));
  }

  private Page readRows(Connection connection, String now, List<Long> ids, boolean more)
      throws SQLException {
    String sql =
        "SELECT id, %s, %s FROM %s WHERE id IN (%s) ORDER BY id"
            .formatted(REQUEST_COLUMNS, now, tables.rows(), parameters(ids.size()));
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < ids.size(); i++) {
        statement.setLong(i + 1, ids.get(i));
      }
      List<EnqueuedRow> read = new ArrayList<>();
      long time = 0;
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          read.add(rowOf(rows));
          time = rows.getLong(11);
        }
      }
      return new Page(time, read, ids.get(ids.size() - 1), more);
    }
  }

  private static EnqueuedRow rowOf(ResultSet row) throws SQLException {
    return new EnqueuedRow(
        row.getLong(1),
        row.getString(2),
        new JobKey(row.getString(3), row.getString(4)),
        row.getInt(5),
        new Content(row.getString(6), row.getString(7)),
        row.getLong(9),
        longOrNull(row, 10));
  }

  /**
   * Records what became of rows, and which rows are about to be sent, in one transaction. Rows that
   * stay are not written.
   */
  void record(List<Settlement> settled, List<EnqueuedRow> aboutToBeSent) {
    List<EnqueuedRow> first =
        aboutToBeSent.stream().filter(row -> row.firstSentAt() == null).toList();
    boolean writes = settled.stream().anyMatch(each -> each.action() != Settlement.Action.STAYS);
    if (!writes && first.isEmpty()) {
      return;
    }
    boolean unused =
        database.inTransaction(
            "record %d answers, and %d rows to send".formatted(settled.size(), first.size()),
            (connection, now) -> {
              each(
                  connection,
                  "DELETE FROM " + tables.rows() + " WHERE id = ?",
                  rowsOf(settled, Settlement.Action.DELETE));
              setAside(connection, now, settled);
              each(
                  connection,
                  "UPDATE " + tables.rows() + " SET first_sent_at = NULL WHERE id = ?",
                  rowsOf(settled, Settlement.Action.NEVER_SENT));
              each(
                  connection,
                  "UPDATE %s SET first_sent_at = %s WHERE id = ? AND first_sent_at IS NULL"
                      .formatted(tables.rows(), now),
                  first);
              return true;
            });
  }

  private static List<EnqueuedRow> rowsOf(List<Settlement> settled, Settlement.Action action) {
    return settled.stream().filter(each -> each.action() == action).map(Settlement::row).toList();
  }

  private static void each(Connection connection, String sql, List<EnqueuedRow> rows)
      throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (EnqueuedRow row : rows) {
        statement.setLong(1, row.id());
        statement.addBatch();
      }
      int[] unused = statement.executeBatch();
    }
  }

  /** Only who deletes a row inserts it into the other table. */
  private void setAside(Connection connection, String now, List<Settlement> settled)
      throws SQLException {
    String delete = "DELETE FROM " + tables.rows() + " WHERE id = ?";
    String insert =
        "INSERT INTO %s (%s, rejected_at, reason, message) VALUES (%s, %s, ?, ?)"
            .formatted(tables.rejected(), REQUEST_COLUMNS, parameters(9), now);
    for (Settlement each : settled) {
      if (each.action() != Settlement.Action.SET_ASIDE) {
        continue;
      }
      try (PreparedStatement statement = connection.prepareStatement(delete)) {
        statement.setLong(1, each.row().id());
        if (statement.executeUpdate() == 0) {
          continue;
        }
      }
      try (PreparedStatement statement = connection.prepareStatement(insert)) {
        bind(statement, each);
        int unused = statement.executeUpdate();
      }
    }
  }

  private static void bind(PreparedStatement statement, Settlement each) throws SQLException {
    EnqueuedRow row = each.row();
    statement.setString(1, row.submissionId());
    statement.setString(2, row.key().nodeGroup());
    statement.setString(3, row.key().taskId());
    statement.setInt(4, row.partition());
    statement.setString(5, row.content().kind());
    statement.setString(6, row.content().body());
    statement.setInt(7, row.content().body().getBytes(StandardCharsets.UTF_8).length);
    statement.setLong(8, row.createdAt());
    Long firstSentAt = row.firstSentAt();
    if (firstSentAt == null) {
      statement.setNull(9, Types.BIGINT);
    } else {
      statement.setLong(9, firstSentAt);
    }
    statement.setString(10, each.answer());
    statement.setString(11, cut(each.message()));
  }

  private static @Nullable String cut(@Nullable String message) {
    if (message == null || message.length() <= MESSAGE_CHARS) {
      return message;
    }
    int end =
        Character.isHighSurrogate(message.charAt(MESSAGE_CHARS - 1))
            ? MESSAGE_CHARS - 1
            : MESSAGE_CHARS;
    return message.substring(0, end);
  }
}
