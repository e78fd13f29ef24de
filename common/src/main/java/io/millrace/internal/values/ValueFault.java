package io.millrace.internal.values;

import org.jspecify.annotations.Nullable;

/**
 * Thrown for JSON that does not fit its type, or a value without a JSON form. Each level that
 * rethrows it adds to the path of the value.
 */
public final class ValueFault extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN_CHARS = 60;

  private final String path;
  private final String reason;

  ValueFault(String reason) {
    this(reason, null);
  }

  ValueFault(String reason, @Nullable Throwable cause) {
    this("", reason, cause);
  }

  private ValueFault(String path, String reason, @Nullable Throwable cause) {
    super(path.isEmpty() ? reason : path + ": " + reason, cause, false, false);
    this.path = path;
    this.reason = reason;
  }

  /** Where and why, for a person. */
  public String words() {
    return path.isEmpty() ? reason : path + ": " + reason;
  }

  /** The same, found inside the component or map entry of this name. */
  ValueFault inside(String name) {
    String separator = path.isEmpty() || path.startsWith("[") ? "" : ".";
    return new ValueFault(cut(name) + separator + path, reason, getCause());
  }

  /** The same, found inside the element of this index. */
  ValueFault inside(int index) {
    return inside("[" + index + "]");
  }

  /** The text, or its beginning, for a message. */
  static String cut(String text) {
    return text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "…";
  }
}
