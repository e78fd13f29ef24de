package io.millrace.benchmarks.database;

import java.nio.file.Path;

/**
 * H2 in files; the process that opens a database has exclusive access. A thread that is interrupted
 * while it writes closes the file for all threads, and some peers interrupt their threads when they
 * stop: {@code retry} opens the file again.
 */
final class H2Files implements Databases {
  /** The H2 settings that Millrace itself uses; the peers get the same ones. */
  private static final String SETTINGS =
      ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE;QUERY_CACHE_SIZE=64";

  private final Path directory;
  private int number;

  H2Files(Path directory) {
    this.directory = directory;
  }

  @Override
  public Fresh fresh() {
    number++;
    Path files = directory.resolve("h2-" + number);
    return new Fresh() {
      @Override
      public String url() {
        return "jdbc:h2:retry:" + files.resolve("bench") + SETTINGS;
      }

      @Override
      public String user() {
        return "";
      }

      @Override
      public void close() {
        Directories.delete(files);
      }
    };
  }

  @Override
  public long serverCpuMicros() {
    return 0;
  }

  @Override
  public void close() {
    // The owner of each database has deleted it.
  }
}
