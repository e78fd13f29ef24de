package io.millrace.tasktracker.execute;

import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Recognizes what a body throws because its thread was interrupted. */
final class Interruption {
  /** Longest chain that is looked at; a chain of causes may be a ring. */
  private static final int MAX_CAUSES = 16;

  private Interruption() {}

  static boolean isCauseOf(Throwable thrown) {
    @Nullable Throwable cause = thrown;
    for (int i = 0; i < MAX_CAUSES && cause != null; i++) {
      if (cause instanceof InterruptedException
          || cause instanceof InterruptedIOException
          || cause instanceof ClosedByInterruptException
          || cause instanceof CancellationException) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }
}
