package io.millrace.common.codec;

import org.jspecify.annotations.Nullable;

/** JSON that could not be read, or a value that could not be written. Names the type and why. */
public final class CodecException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What is wrong, and so what becomes of the connection it came over. */
  public enum Fault {
    /** Not strict JSON, or nested too deep: the other end cannot be followed any further. */
    MALFORMED,
    /** JSON, but a field is missing or of another form: only this message is refused. */
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
