package io.millrace.benchmarks.database;

import java.io.IOException;
import java.nio.file.Path;

/** Which database. */
public enum DatabaseKind {
  H2("h2", "H2 in files, WRITE_DELAY=0: every commit is on disk before it returns"),
  MARIADB("mariadb", "MariaDB with default settings, started for the run");

  private final String word;
  private final String description;

  DatabaseKind(String word, String description) {
    this.word = word;
    this.description = description;
  }

  /** As it is written in options and reports. */
  public String word() {
    return word;
  }

  /** For people. */
  public String description() {
    return description;
  }

  /** Makes it ready to give out databases, in this directory. */
  public Databases start(Path directory) throws IOException {
    return this == H2 ? new H2Files(directory) : MariaServer.start(directory);
  }
}
