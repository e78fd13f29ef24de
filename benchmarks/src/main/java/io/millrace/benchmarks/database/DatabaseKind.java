package io.millrace.benchmarks.database;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The kinds of database. */
public enum DatabaseKind {
  H2("h2", "H2 in files, WRITE_DELAY=0: every commit is on disk before it returns"),
  MARIADB("mariadb", "MariaDB with default settings, started for the run"),
  MYSQL("mysql", "MySQL with default settings, started for the run");

  private static final String STATUS =
      "SELECT CAST(VARIABLE_VALUE AS SIGNED) FROM %s.global_status WHERE VARIABLE_NAME = '%s'";

  private final String word;
  private final String description;

  DatabaseKind(String word, String description) {
    this.word = word;
    this.description = description;
  }

  /** Returns the word used in options and reports. */
  public String word() {
    return word;
  }

  /** Returns whether the database is a separate process, which counts its statements. */
  public boolean isServer() {
    return this != H2;
  }

  /**
   * Returns the query for the number of statements that the server has executed; empty if the
   * database is no server.
   */
  public Optional<String> statements() {
    return status("QUESTIONS");
  }

  /**
   * Returns the query for the number of bytes that the server has written to its redo log; empty if
   * the database is no server.
   */
  public Optional<String> redoBytes() {
    return status("INNODB_OS_LOG_WRITTEN");
  }

  private Optional<String> status(String name) {
    return switch (this) {
      case H2 -> Optional.empty();
      case MARIADB -> Optional.of(STATUS.formatted("information_schema", name));
      case MYSQL -> Optional.of(STATUS.formatted("performance_schema", name));
    };
  }

  /** Returns the description for people. */
  public String description() {
    return description;
  }

  /**
   * Checks that the environment names the program that starts the database, if it needs one.
   *
   * @throws MissingProgramException if it does not
   */
  void checkInstalled(Map<String, String> environment) {
    if (this == MYSQL) {
      Path unused = SqlServer.mySqlProgram(environment);
    }
  }

  /**
   * Prepares the database to provide databases in this directory.
   *
   * @throws MissingProgramException if the environment does not name the program that starts the
   *     database
   */
  public Databases start(Path directory) throws IOException {
    return switch (this) {
      case H2 -> new H2Files(directory);
      case MARIADB -> SqlServer.mariaDb(directory);
      case MYSQL -> SqlServer.mySql(directory, System.getenv());
    };
  }
}
