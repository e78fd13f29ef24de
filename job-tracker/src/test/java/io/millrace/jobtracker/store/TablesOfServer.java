package io.millrace.jobtracker.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The tables of a database that a tracker has just created, as statements that create them again:
 * on a server that takes a third of the time of all migrations. Immutable.
 */
final class TablesOfServer {
  private static final Map<TestDatabase.Kind, TablesOfServer> KNOWN = new ConcurrentHashMap<>();

  private final List<String> statements;
  private final Map<String, List<List<Object>>> rows;

  private TablesOfServer(List<String> statements, Map<String, List<List<Object>>> rows) {
    this.statements = statements;
    this.rows = rows;
  }

  /** Those of a kind of server, which the migrations create once in a JVM. */
  static TablesOfServer of(TestDatabase.Kind server) {
    return KNOWN.computeIfAbsent(server, TablesOfServer::migrated);
  }

  private static TablesOfServer migrated(TestDatabase.Kind server) {
    try (TestDatabase database = server.openEmpty()) {
      Stores unused = database.stores();
      return read(database);
    } catch (SQLException e) {
      throw new IllegalStateException("tables of " + server, e);
    }
  }

  private static TablesOfServer read(TestDatabase database) throws SQLException {
    List<String> statements = new ArrayList<>();
    Map<String, List<List<Object>>> rows = new LinkedHashMap<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (String table : database.query("SHOW TABLES")) {
        try (ResultSet created = statement.executeQuery("SHOW CREATE TABLE " + table)) {
          created.next();
          statements.add(created.getString(2));
        }
        try (ResultSet present = statement.executeQuery("SELECT * FROM " + table)) {
          rows.put(table, values(present));
        }
      }
    }
    rows.values().removeIf(List::isEmpty);
    return new TablesOfServer(statements, rows);
  }

  private static List<List<Object>> values(ResultSet present) throws SQLException {
    List<List<Object>> rows = new ArrayList<>();
    while (present.next()) {
      List<Object> row = new ArrayList<>();
      for (int i = 1; i <= present.getMetaData().getColumnCount(); i++) {
        row.add(present.getObject(i));
      }
      rows.add(row);
    }
    return rows;
  }

  /** Creates them, with the rows that migrations write, in an empty database. */
  void createIn(TestDatabase database) {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (String create : statements) {
        statement.execute(create);
      }
      for (Map.Entry<String, List<List<Object>>> table : rows.entrySet()) {
        insert(connection, table.getKey(), table.getValue());
      }
    } catch (SQLException e) {
      throw new IllegalStateException("tables of " + database, e);
    }
  }

  private static void insert(Connection connection, String table, List<List<Object>> rows)
      throws SQLException {
    String places = String.join(", ", Collections.nCopies(rows.get(0).size(), "?"));
    String text = "INSERT INTO %s VALUES (%s)".formatted(table, places);
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      for (List<Object> row : rows) {
        for (int i = 0; i < row.size(); i++) {
          statement.setObject(i + 1, row.get(i));
        }
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }
}
