package io.millrace.tasktracker.internal.execute;

import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Recognizes exceptions that an invocation throws because its thread was interrupted. */
final class Interruption {
  /** The maximum length of the examined chain of causes, because a chain may be cyclic. */
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
