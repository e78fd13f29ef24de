package io.millrace.common.outbox;

import java.nio.file.Path;

/** What was to be added does not fit; nothing of it was. */
public final class OutboxFullException extends OutboxException {
  private static final long serialVersionUID = 1L;

  OutboxFullException(Path directory, String bound) {
    super(directory, "is full: " + bound, null);
  }
}
