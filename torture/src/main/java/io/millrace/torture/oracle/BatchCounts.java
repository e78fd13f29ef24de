package io.millrace.torture.oracle;

import io.millrace.jobtracker.domain.batch.PartKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares, while trackers work, what the rows of open batches count with the rows of their parts.
 * All is read in one transaction that sees one state of the database.
 */
public final class BatchCounts {
  private BatchCounts() {}

  /**
   * What one look found.
   *
   * @param batches how many batches were open
   * @param wrong a sentence for each that does not count what its parts are
   */
  public record Look(int batches, List<String> wrong) {}

  private record Counted(
      long id, String nodeGroup, String table, int released, int ended, String state) {}

  /**
   * Looks once.
   *
   * @throws SQLException if the database does not answer
   */
  public static Look look(DatabaseAccess database) throws SQLException {
    try (Connection connection = database.open()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setAutoCommit(false);
      List<Counted> batches = batches(connection);
      List<String> wrong = new ArrayList<>();
      for (Counted batch : batches) {
        long ended =
            count(
                connection,
                "SUM(instants) FROM jt_history WHERE job_id = ?"
                    + " AND status IN ('SUCCEEDED', 'FAILED', 'DEAD', 'CANCELLED', 'SKIPPED')",
                batch.id());
        long executing =
            ofTask(
                connection,
                "jt_executing WHERE node_group = ? AND task_id = ?",
                batch.nodeGroup(),
                batch.id());
        long waiting =
            ofTask(
                connection,
                batch.table() + " WHERE '' <> ? AND task_id = ?",
                batch.nodeGroup(),
                batch.id());
        if (ended != batch.ended() || executing + waiting != batch.released() - batch.ended()) {
          wrong.add(
              "%s batch %d of %s counts %d parts that ended, of %d released; %d have ended, %d execute, %d wait"
                  .formatted(
                      batch.state(),
                      batch.id(),
                      batch.nodeGroup(),
                      batch.ended(),
                      batch.released(),
                      ended,
                      executing,
                      waiting));
        }
      }
      connection.rollback();
      return new Look(batches.size(), wrong);
    }
  }

  private static List<Counted> batches(Connection connection) throws SQLException {
    String sql =
        """
        SELECT b.id, b.node_group, g.table_name, b.released, b.state,
          b.succeeded + b.failed + b.dead + b.cancelled + b.skipped AS ended
        FROM jt_batch b JOIN jt_node_group g ON g.name = b.node_group
        WHERE b.state <> 'STAGED' ORDER BY b.id""";
    List<Counted> batches = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        batches.add(
            new Counted(
                rows.getLong("id"),
                rows.getString("node_group"),
                rows.getString("table_name"),
                rows.getInt("released"),
                rows.getInt("ended"),
                rows.getString("state")));
      }
    }
    return batches;
  }

  private static long count(Connection connection, String what, long id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT " + what)) {
      statement.setLong(1, id);
      return first(statement);
    }
  }

  private static long ofTask(Connection connection, String where, String nodeGroup, long id)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT COUNT(*) FROM " + where)) {
      statement.setString(1, nodeGroup);
      statement.setString(2, PartKey.taskIdOf(id));
      return first(statement);
    }
  }

  private static long first(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      return rows.next() ? rows.getLong(1) : 0;
    }
  }
}
