package io.millrace.torture.oracle;

import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the database of a run. The SQL is the same on every database. */
final class TablesReader {
  private final Connection connection;

  TablesReader(Connection connection) {
    this.connection = connection;
  }

  /** Converts a row of a result. */
  private interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  Tables read() throws SQLException {
    return new Tables(ledger(), live(), jobs(), dead());
  }

  /** Reads the tables without the ledger and the dead triggers, which are long. */
  Tables readLive() throws SQLException {
    return new Tables(List.of(), live(), jobs(), List.of());
  }

  private List<LedgerEntry> ledger() throws SQLException {
    return query("SELECT * FROM jt_history ORDER BY id", TablesReader::ledgerEntry);
  }

  private static LedgerEntry ledgerEntry(ResultSet row) throws SQLException {
    return new LedgerEntry(
        row.getLong("id"),
        row.getString("node_group"),
        row.getString("task_id"),
        row.getLong("planned_at"),
        row.getInt("ordinal"),
        row.getLong("job_id"),
        row.getInt("job_version"),
        LedgerStatus.valueOf(row.getString("status")),
        row.getBoolean("reported"),
        row.getString("cause"),
        row.getInt("attempt"),
        row.getLong("planned_for"),
        row.getLong("planned_to"),
        row.getLong("instants"),
        row.getLong("due_at"),
        nullableLong(row, "claimed_at"),
        row.getLong("finished_at"),
        row.getString("worker_id"),
        nullableLong(row, "replay_of"));
  }

  private List<LiveRow> live() throws SQLException {
    List<LiveRow> rows =
        new ArrayList<>(
            query(
                "SELECT * FROM jt_executing",
                row -> liveRow("jt_executing", row.getString("node_group"), row, true)));
    rows.addAll(
        query(
            "SELECT * FROM jt_batch",
            row -> liveRow("jt_batch", row.getString("node_group"), row, false)));
    for (String[] group :
        query(
            "SELECT name, table_name FROM jt_node_group",
            row -> new String[] {row.getString(1), row.getString(2)})) {
      rows.addAll(
          query("SELECT * FROM " + group[1], row -> liveRow(group[1], group[0], row, false)));
    }
    return rows;
  }

  private static LiveRow liveRow(String table, String group, ResultSet row, boolean isExecuting)
      throws SQLException {
    return new LiveRow(
        table,
        row.getLong("id"),
        group,
        row.getString("task_id"),
        row.getLong("job_id"),
        row.getLong("planned_at"),
        row.getInt("ordinal"),
        row.getLong("due_at"),
        isExecuting);
  }

  private List<JobRow> jobs() throws SQLException {
    return query(
        "SELECT * FROM jt_job",
        row ->
            new JobRow(
                row.getString("node_group"),
                row.getString("task_id"),
                row.getInt("version"),
                row.getString("state"),
                row.getInt("running"),
                row.getInt("queued")));
  }

  private List<DeadRow> dead() throws SQLException {
    return query(
        "SELECT * FROM jt_dead ORDER BY id",
        row -> {
          Long replayOrdinal = nullableLong(row, "replay_ordinal");
          return new DeadRow(
              row.getLong("id"),
              row.getLong("job_id"),
              row.getInt("job_version"),
              row.getLong("planned_at"),
              row.getInt("ordinal"),
              row.getString("state"),
              nullableLong(row, "replay_id"),
              replayOrdinal == null ? null : replayOrdinal.intValue());
        });
  }

  private static @Nullable Long nullableLong(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : value;
  }

  private <T> List<T> query(String sql, RowReader<T> reader) throws SQLException {
    List<T> rows = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        rows.add(reader.read(result));
      }
    }
    return rows;
  }
}
