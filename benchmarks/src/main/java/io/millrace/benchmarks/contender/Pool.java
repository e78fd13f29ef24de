package io.millrace.benchmarks.contender;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The connection pool of a peer: larger than its worker slots and submitters together need. */
final class Pool {
  private static final int CONNECTIONS = 24;

  private Pool() {}

  static HikariDataSource open(Place place) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(place.url());
    config.setUsername(place.user());
    config.setPassword("");
    if (place.url().startsWith("jdbc:mysql:")) {
      // One statement of many rows in place of many statements, as its users set it for batches.
      config.addDataSourceProperty("rewriteBatchedStatements", "true");
    }
    config.setMaximumPoolSize(CONNECTIONS);
    return new HikariDataSource(config);
  }

  /** Executes the statements of a script. */
  static void run(HikariDataSource pool, List<String> statements) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        boolean unused = statement.execute(sql);
      }
      if (!connection.getAutoCommit()) {
        connection.commit();
      }
    }
  }

  /**
   * Returns the statements of a script on the class path, which end with a semicolon at the end of
   * a line; lines that begin with -- or # are comments.
   */
  static List<String> script(String resource) throws IOException {
    try (InputStream in = Pool.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("there is no " + resource);
      }
      String text =
          new String(in.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.stripLeading().startsWith("--") && !line.startsWith("#"))
              .collect(Collectors.joining("\n"));
      List<String> statements = new ArrayList<>();
      for (String part : text.split(";\\s*(\n|$)", -1)) {
        if (!part.isBlank() && !part.strip().equalsIgnoreCase("commit")) {
          statements.add(part.strip());
        }
      }
      return statements;
    }
  }
}
