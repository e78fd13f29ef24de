package io.millrace.benchmarks.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Directories of the run. */
public final class Directories {
  private Directories() {}

  /** Deletes what is there, if it is. */
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

  /** The same for a run that is broken off, while others may still write there. */
  public static void deleteQuietly(Path directory) {
    try {
      delete(directory);
    } catch (UncheckedIOException stillWritten) {
      // What is left is in the directory for temporary files.
    }
  }
}
