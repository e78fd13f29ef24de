package io.millrace.torture.database;

import io.millrace.torture.node.Watched;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** One node of a Galera cluster; it rejoins the other two when it is restarted. */
final class GaleraNode extends ServerNode {
  static final int NODES = 3;

  private static final int ATTEMPTS = 3;

  private final ServerProgram program;
  private final Path directory;
  private final int firstPort;
  private final int number;

  /**
   * @param number 0 to 2
   */
  GaleraNode(ServerProgram program, Path directory, int firstPort, int number) {
    super("database-" + (number + 1), firstPort + number);
    this.program = program;
    this.directory = directory;
    this.firstPort = firstPort;
    this.number = number;
  }

  /**
   * Starts the node; starts it once more if it fails to join, for instance because its resources
   * are still in use.
   */
  @Override
  Watched launch() {
    for (int attempt = 1; ; attempt++) {
      try {
        return program
            .run(
                directory.resolve("program.log"),
                "node",
                directory.resolve("data"),
                firstPort,
                number)
            .get(0);
      } catch (IllegalStateException hasNotJoined) {
        if (attempt == ATTEMPTS) {
          throw hasNotJoined;
        }
      }
    }
  }

  /**
   * Requires that all three nodes have joined before another fault: two nodes without the third
   * have no majority if one fails.
   */
  @Override
  void look(Connection connection) throws SQLException {
    require(connection, "wsrep_local_state_comment", "Synced");
    require(connection, "wsrep_cluster_status", "Primary");
    require(connection, "wsrep_cluster_size", String.valueOf(NODES));
    Servers.makeSchema(connection);
  }

  private static void require(Connection connection, String name, String wanted)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW STATUS LIKE '" + name + "'")) {
      if (!row.next() || !row.getString(2).equals(wanted)) {
        throw new SQLException(name + " is not yet " + wanted);
      }
    }
  }

  @Override
  String options() {
    return "?sslMode=DISABLED";
  }
}
