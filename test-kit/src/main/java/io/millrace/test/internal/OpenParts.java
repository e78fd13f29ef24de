package io.millrace.test.internal;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Parts that are closed together: the last one first, and all of them even if some fail. */
public final class OpenParts implements AutoCloseable {
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  /** Adds a part, which is closed before those that were added earlier. */
  public void add(AutoCloseable part) {
    parts.push(part);
  }

  /**
   * Closes all parts.
   *
   * @throws IllegalStateException if one could not be closed; failures of others are suppressed in
   *     it
   */
  @Override
  public void close() {
    IllegalStateException failed = null;
    for (AutoCloseable part = parts.poll(); part != null; part = parts.poll()) {
      failed = close(part, failed);
    }
    if (failed != null) {
      throw failed;
    }
  }

  private static @Nullable IllegalStateException close(
      AutoCloseable part, @Nullable IllegalStateException before) {
    try {
      part.close();
      return before;
    } catch (Exception failure) {
      if (before == null) {
        return new IllegalStateException(part + " could not be closed", failure);
      }
      before.addSuppressed(failure);
      return before;
    }
  }
}
