package io.millrace.internal.outbox;

import io.millrace.api.OutboxException;
import java.nio.file.Path;

/** Another process, or another outbox of this process, uses the directory. */
public final class OutboxInUseException extends OutboxException {
  private static final long serialVersionUID = 1L;

  OutboxInUseException(Path directory) {
    super(
        directory,
        "is in use, probably by another process; each process needs its own directory",
        null);
  }
}
