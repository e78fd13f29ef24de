package io.millrace.internal.outbox;

import io.millrace.api.OutboxException;
import java.nio.file.Path;

/** The new entries do not fit; none of them was added. */
public final class OutboxFullException extends OutboxException {
  private static final long serialVersionUID = 1L;

  OutboxFullException(Path directory, String bound) {
    super(directory, "is full: " + bound, null);
  }
}
