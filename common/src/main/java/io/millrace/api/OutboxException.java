package io.millrace.api;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The outbox cannot be read or written. A change that failed may or may not have been made. */
public class OutboxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public OutboxException(Path directory, String what, @Nullable Throwable cause) {
    super("outbox " + directory.toAbsolutePath() + " " + what, cause);
  }
}
