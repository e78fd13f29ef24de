package io.millrace.torture.database;

import io.millrace.torture.node.Watched;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

/** A MySQL server that a program outside the build starts. */
final class MySqlNode extends ServerNode {
  private final ServerProgram program;
  private final Path directory;

  MySqlNode(ServerProgram program, Path directory, int port) {
    super("database", port);
    this.program = program;
    this.directory = directory;
  }

  @Override
  Watched launch() {
    return program
        .run(directory.resolve("program.log"), "start", directory.resolve("data"), port())
        .get(0);
  }

  @Override
  void look(Connection connection) throws SQLException {
    Servers.makeSchema(connection);
  }

  @Override
  String options() {
    return "?sslMode=DISABLED&allowPublicKeyRetrieval=true";
  }
}
