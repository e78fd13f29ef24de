package io.millrace.spring.internal.embedded;

import io.millrace.spring.internal.config.MillraceStartException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The use of an H2 file by one tracker of this process. H2 itself keeps other processes off the
 * file, but not other applications of the same process.
 */
final class FileClaim implements AutoCloseable {
  private static final Set<Path> CLAIMED = ConcurrentHashMap.newKeySet();

  private final @Nullable Path file;

  private FileClaim(@Nullable Path file) {
    this.file = file;
  }

  /**
   * Claims a file.
   *
   * @param file null for a database without one
   * @throws MillraceStartException if it is in use
   */
  static FileClaim of(@Nullable Path file) {
    if (file != null && !CLAIMED.add(file)) {
      throw inUse(file, null);
    }
    return new FileClaim(file);
  }

  /** Returns the failure of a start with a file that is in use. */
  static MillraceStartException inUse(Path file, @Nullable Throwable cause) {
    return new MillraceStartException(
        "The tracker cannot use the H2 file %s: another tracker or program has it open. An H2 file serves one instance of the application at a time."
            .formatted(file),
        "Stop the other instance, or give this one another millrace.tracker.store.url. Several instances need a database on MySQL or MariaDB, or a tracker of its own:"
            + " millrace.tracker.embedded=false and millrace.trackers.",
        cause);
  }

  @Override
  public void close() {
    if (file != null) {
      CLAIMED.remove(file);
    }
  }
}
