package io.millrace.jobtracker.store;

import static org.awaitility.Awaitility.await;

import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * The nodes of a Galera cluster that was running before the tests: {@code
 * -Dmillrace.test.galera=HOST:PORT,HOST:PORT,…}, root without a password. A database of its own on
 * them, dropped when it is closed.
 */
final class GaleraNodes implements AutoCloseable {
  private static final String NODES = "millrace.test.galera";

  private final List<String> addresses =
      Arrays.stream(System.getProperty(NODES, "").split(",")).filter(a -> !a.isEmpty()).toList();
  private final String name = "galera_" + UUID.randomUUID().toString().substring(0, 8);

  private boolean made;

  GaleraNodes() {
    if (addresses.size() < 2) {
      throw new IllegalStateException("-D" + NODES + " must name two nodes or more");
    }
    query(0, "CREATE DATABASE " + name);
    made = true;
    for (int node = 1; node < addresses.size(); node++) {
      awaitDatabase(node);
    }
  }

  /** Nodes apply what others have committed a moment later. */
  private void awaitDatabase(int node) {
    await().until(() -> isReachable(node));
  }

  private boolean isReachable(int node) {
    try {
      return !query(node, "SELECT 1").isEmpty();
    } catch (IllegalStateException notYet) {
      return false;
    }
  }

  /** By way of one node. */
  StoreConfig config(int node) {
    return config(addresses.get(node), name);
  }

  /** By a URL that names all of them. */
  StoreConfig configOfAll() {
    return config(String.join(",", addresses), name);
  }

  /** By a URL whose first host nobody listens at. */
  StoreConfig configBehindADeadHost() {
    return config("127.0.0.1:1," + String.join(",", addresses), name);
  }

  private static StoreConfig config(String hosts, String database) {
    return new StoreConfig(
        "jdbc:mysql://" + hosts + "/" + database + "?sslMode=DISABLED",
        "root",
        "",
        4,
        StoreConfig.DEFAULT_CONNECTION_TIMEOUT);
  }

  /** The first column, as this node has it. */
  List<String> query(int node, String sql) {
    List<String> column = new ArrayList<>();
    StoreConfig of = config(addresses.get(node), made ? name : "mysql");
    try (Connection connection =
            DriverManager.getConnection(of.url(), of.username(), of.password());
        Statement statement = connection.createStatement()) {
      if (statement.execute(sql)) {
        ResultSet rows = statement.getResultSet();
        while (rows.next()) {
          column.add(rows.getString(1));
        }
      }
      return column;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  @Override
  public void close() {
    query(0, "DROP DATABASE " + name);
  }
}
