package io.millrace.benchmarks.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Deletes directories of the run. */
public final class Directories {
  private Directories() {}

  /** Deletes a directory with its contents, if it exists. */
  public static void delete(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> below = Files.walk(directory)) {
      List<Path> deepestFirst = below.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        boolean unused = Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes a directory of an aborted run, to which other processes may still write. */
  public static void deleteQuietly(Path directory) {
    try {
      delete(directory);
    } catch (UncheckedIOException stillWritten) {
      // The remaining files are in the directory for temporary files.
    }
  }
}
