package io.millrace.scripts.quickstart;

import io.millrace.internal.files.PrivateFiles;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory of the quickstart's store: a given directory, or a temporary one that is deleted at
 * the end.
 */
public final class DataDirectory implements AutoCloseable {
  private final Path path;
  private final boolean temporary;

  private DataDirectory(Path path, boolean temporary) {
    this.path = path;
    this.temporary = temporary;
  }

  /** Returns the given directory, created if missing, or a temporary one if null. */
  public static DataDirectory open(@Nullable Path named) {
    try {
      if (named == null) {
        return new DataDirectory(Files.createTempDirectory("millrace-quickstart-"), true);
      }
      Path path = named.toAbsolutePath();
      PrivateFiles.createDirectory(path);
      return new DataDirectory(path, false);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create the data directory " + named, e);
    }
  }

  /** Returns the configuration of an H2 file in this directory. */
  public StoreConfig store() {
    return StoreConfig.of("jdbc:h2:file:" + path.resolve("millrace"), "sa", "");
  }

  @Override
  public void close() {
    if (!temporary) {
      return;
    }
    try (Stream<Path> below = Files.walk(path)) {
      List<Path> deepestFirst = below.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete the data directory " + path, e);
    }
  }
}
