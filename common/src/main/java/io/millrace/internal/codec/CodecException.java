package io.millrace.internal.codec;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when JSON cannot be read or a value cannot be written. The message names the type and the
 * reason.
 */
public final class CodecException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The kind of fault, which decides whether the connection is closed. */
  public enum Fault {
    /** Not strict JSON, or nested too deep: the connection must be closed. */
    MALFORMED,
    /** JSON, but a field is missing or has another form: only this message is rejected. */
    INVALID
  }

  private final Fault fault;

  CodecException(Fault fault, Class<?> type, String reason, @Nullable Throwable cause) {
    super(type.getSimpleName() + ": " + reason, cause);
    this.fault = fault;
  }

  public Fault fault() {
    return fault;
  }
}
