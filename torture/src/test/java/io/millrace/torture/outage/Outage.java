package io.millrace.torture.outage;

import io.millrace.torture.network.TcpProxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Ways in which a database server fails those who depend on it. */
enum Outage {
  /** All connections break, and nobody listens. */
  GONE("has not answered") {
    @Override
    Runnable begin(TcpProxy wire, int port) {
      wire.cut();
      return wire::restore;
    }
  },
  /** Connections stay open, and nothing comes back on them. */
  SILENT("has not answered") {
    @Override
    Runnable begin(TcpProxy wire, int port) {
      wire.blackHole();
      return wire::restore;
    }
  },
  /** It answers whoever reads. */
  READ_ONLY("has refused to write") {
    @Override
    Runnable begin(TcpProxy wire, int port) throws SQLException {
      Connection direct = connect(port);
      execute(direct, "SET GLOBAL tx_read_only = 1");
      breakConnections(wire);
      return () -> {
        executeUnchecked(direct, "SET GLOBAL tx_read_only = 0");
        closeAll(List.of(direct));
      };
    }
  },
  /** Others have taken all the connections there may be. */
  CONNECTIONS_EXHAUSTED("has not answered") {
    @Override
    Runnable begin(TcpProxy wire, int port) throws SQLException {
      List<Connection> taken = new ArrayList<>();
      taken.add(connect(port));
      execute(taken.get(0), "SET GLOBAL max_connections = 10");
      wire.cut();
      while (taken.size() < MORE_THAN_ALLOWED) {
        try {
          taken.add(connect(port));
        } catch (SQLException refused) {
          if (refused.getErrorCode() != TOO_MANY_CONNECTIONS) {
            throw refused;
          }
          // Those of the tracker count until the server has seen that they are gone.
          if (sessions(taken.get(0)) == taken.size()) {
            break;
          }
        }
      }
      wire.restore();
      return () -> {
        executeUnchecked(taken.get(0), "SET GLOBAL max_connections = 150");
        closeAll(taken);
      };
    }
  };

  private static final int TOO_MANY_CONNECTIONS = 1040;
  private static final int MORE_THAN_ALLOWED = 20;

  private final String says;

  Outage(String says) {
    this.says = says;
  }

  /** What the tracker's health tells of it. */
  String says() {
    return says;
  }

  /**
   * @param wire between the tracker and the server
   * @param port of the server itself
   * @return what ends it
   */
  abstract Runnable begin(TcpProxy wire, int port) throws SQLException;

  private static Connection connect(int port) throws SQLException {
    return DriverManager.getConnection("jdbc:mysql://127.0.0.1:" + port + "/", "root", "");
  }

  /** New ones have the server's new settings. */
  private static void breakConnections(TcpProxy wire) {
    wire.cut();
    wire.restore();
  }

  private static int sessions(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT COUNT(*) FROM information_schema.processlist"
                    + " WHERE user <> 'system user'")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void executeUnchecked(Connection connection, String sql) {
    try {
      execute(connection, sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void closeAll(List<Connection> connections) {
    for (Connection connection : connections) {
      try {
        connection.close();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
