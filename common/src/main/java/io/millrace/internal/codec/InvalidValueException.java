package io.millrace.internal.codec;

/**
 * Thrown for a value that does not match its type. Each level that rethrows it adds to the path of
 * the value.
 */
final class InvalidValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String path;
  private final String reason;

  InvalidValueException(String reason) {
    this("", reason);
  }

  private InvalidValueException(String path, String reason) {
    super(path.isEmpty() ? reason : path + " " + reason, null, false, false);
    this.path = path;
    this.reason = reason;
  }

  /** The same, found inside the component of this name. */
  InvalidValueException inside(String component) {
    String separator = path.isEmpty() || path.startsWith("[") ? "" : ".";
    return new InvalidValueException(component + separator + path, reason);
  }

  /** The same, found inside the list element of this index. */
  InvalidValueException inside(int index) {
    return inside("[" + index + "]");
  }
}
