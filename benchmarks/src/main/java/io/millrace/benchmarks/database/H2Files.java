package io.millrace.benchmarks.database;

import java.nio.file.Path;

/**
 * H2 in files; the process that opens one has it to itself. A thread that is interrupted while it
 * writes closes the file for all threads, and some peers interrupt theirs when they stop: {@code
 * retry} opens it again.
 */
final class H2Files implements Databases {
  /** What Millrace itself asks H2 for; the peers get the same. */
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
    // Every database has been deleted by whoever had it.
  }
}
