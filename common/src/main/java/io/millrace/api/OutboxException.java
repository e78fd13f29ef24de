package io.millrace.api;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The outbox cannot be read or written. A change that failed may or may not have been made. */
public class OutboxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception, as a client or a worker does.
   *
   * @param directory the directory of the outbox
   * @param what what is wrong with it; the message begins with the directory
   * @param cause what went wrong below; null if nothing did
   */
  public OutboxException(Path directory, String what, @Nullable Throwable cause) {
    super("outbox " + directory.toAbsolutePath() + " " + what, cause);
  }
}
