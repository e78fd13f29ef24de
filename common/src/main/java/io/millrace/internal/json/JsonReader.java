package io.millrace.internal.json;

import org.jspecify.annotations.Nullable;

/**
 * Reads the tokens of a text that was {@linkplain StrictJson checked} as a whole before the first
 * one. A method that reads a value must be called at a value of its kind; the {@code is} and {@code
 * nextIf} methods find out. Commas between values are passed over. Not thread-safe.
 */
public final class JsonReader {
  /** How deep objects and arrays are nested at most. */
  public static final int MAX_DEPTH = StrictJson.MAX_DEPTH;

  /** The time to convert a longer number grows with the square of its length. */
  private static final int MAX_NUMBER_CHARS = 32;

  private final String text;
  private int position;

  /** Where the first backslash at or after the position is, or was; behind the text if none is. */
  private int nextEscape = -1;

  private JsonReader(String text) {
    this.text = text;
    skipSpace();
  }

  /**
   * Begins to read a text whose numbers have at most {@value #MAX_NUMBER_CHARS} characters.
   *
   * @throws MalformedJsonException if it is not exactly one JSON value within the bounds
   */
  public static JsonReader of(String json) {
    return of(json, MAX_NUMBER_CHARS);
  }

  /**
   * Begins to read a text whose numbers may have up to this many characters.
   *
   * @throws MalformedJsonException if it is not exactly one JSON value within the bounds
   */
  public static JsonReader of(String json, int maxNumberChars) {
    StrictJson.check(json, maxNumberChars);
    return new JsonReader(json);
  }

  public boolean isNull() {
    return peek() == 'n';
  }

  public boolean isString() {
    return peek() == '"';
  }

  public boolean isBool() {
    return peek() == 't' || peek() == 'f';
  }

  public boolean isNumber() {
    char c = peek();
    return c == '-' || (c >= '0' && c <= '9');
  }

  /** Passes over a null; false if there is another value. */
  public boolean nextIfNull() {
    if (!isNull()) {
      return false;
    }
    skipScalar();
    return true;
  }

  /** Enters an object; false if the value is none. */
  public boolean nextIfObjectStart() {
    return nextIf('{');
  }

  /** Leaves the object; false if there is another field. */
  public boolean nextIfObjectEnd() {
    return nextIfEnd('}');
  }

  /** Where the next value begins, for {@link #objectFrom}. */
  public int position() {
    return position;
  }

  /** The text of the object that began at this position and was the last value to be read. */
  public String objectFrom(int start) {
    return text.substring(start, text.lastIndexOf('}', position - 1) + 1);
  }

  /** Passes over an object whose text is exactly this one; false if there is another value. */
  public boolean nextIfObject(String object) {
    if (!text.startsWith(object, position)) {
      return false;
    }
    position += object.length();
    endValue();
    return true;
  }

  /** Enters an array; false if the value is none. */
  public boolean nextIfArrayStart() {
    return nextIf('[');
  }

  /** Leaves the array; false if there is another element. */
  public boolean nextIfArrayEnd() {
    return nextIfEnd(']');
  }

  /** Reads the name of a field; its value is next. */
  public String readFieldName() {
    String name = string();
    endFieldName();
    return name;
  }

  /**
   * Passes over the name of a field; its value is next. False if it is another one, or written with
   * an escape.
   *
   * @param quoted the name in quotation marks
   */
  public boolean nextIfFieldName(String quoted) {
    if (!text.startsWith(quoted, position)) {
      return false;
    }
    position += quoted.length();
    endFieldName();
    return true;
  }

  private void endFieldName() {
    skipSpace();
    position++; // the colon
    skipSpace();
  }

  public String readString() {
    String value = string();
    endValue();
    return value;
  }

  public boolean readBoolean() {
    boolean value = peek() == 't';
    skipScalar();
    return value;
  }

  /** Reads a number as it stands in the text. */
  public String readNumber() {
    int start = position;
    position = endOfScalar();
    String number = text.substring(start, position);
    endValue();
    return number;
  }

  /** Reads a number; null if it has a fraction or an exponent, or is no 64-bit integer. */
  public @Nullable Long readWholeNumber() {
    String number = readNumber();
    try {
      return Long.valueOf(number);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** Reads a number; infinite if it is too large for a double. */
  public double readDouble() {
    return Double.parseDouble(readNumber());
  }

  /** Passes over a value, with all that is in it. */
  public void skipValue() {
    int depth = 0;
    do {
      switch (peek()) {
        case '{', '[' -> {
          depth++;
          position++;
        }
        case '}', ']' -> {
          depth--;
          position++;
        }
        case '"' -> skipString();
        default -> position++;
      }
    } while (depth > 0 || !isEndOfScalar(position));
    endValue();
  }

  private void skipScalar() {
    position = endOfScalar();
    endValue();
  }

  private int endOfScalar() {
    int end = position;
    while (!isEndOfScalar(end)) {
      end++;
    }
    return end;
  }

  private boolean isEndOfScalar(int at) {
    if (at >= text.length()) {
      return true;
    }
    char c = text.charAt(at);
    return c == ',' || c == ']' || c == '}' || StrictJson.isSpace(c);
  }

  private String string() {
    int start = position + 1;
    if (nextEscape < start) {
      int found = text.indexOf('\\', start);
      nextEscape = found < 0 ? text.length() : found;
    }
    int end = text.indexOf('"', start);
    if (nextEscape < end) {
      return unescaped(start, nextEscape);
    }
    position = end + 1;
    return text.substring(start, end);
  }

  private String unescaped(int start, int firstEscape) {
    StringBuilder value = new StringBuilder().append(text, start, firstEscape);
    for (int i = firstEscape; ; i++) {
      char c = text.charAt(i);
      if (c == '"') {
        position = i + 1;
        return value.toString();
      }
      if (c == '\\') {
        i++;
        if (text.charAt(i) == 'u') {
          c = (char) Integer.parseInt(text, i + 1, i + 5, 16);
          i += 4;
        } else {
          c = escaped(text.charAt(i));
        }
      }
      value.append(c);
    }
  }

  private static char escaped(char c) {
    return switch (c) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> c;
    };
  }

  private void skipString() {
    position++;
    while (peek() != '"') {
      position += peek() == '\\' ? 2 : 1;
    }
    position++;
  }

  private boolean nextIf(char c) {
    if (peek() != c) {
      return false;
    }
    position++;
    skipSpace();
    return true;
  }

  private boolean nextIfEnd(char c) {
    if (peek() != c) {
      return false;
    }
    position++;
    endValue();
    return true;
  }

  /** After a value: goes on to the next one, or to the end of what it is in. */
  private void endValue() {
    skipSpace();
    if (peek() == ',') {
      position++;
      skipSpace();
    }
  }

  private char peek() {
    return position < text.length() ? text.charAt(position) : StrictJson.END;
  }

  private void skipSpace() {
    while (StrictJson.isSpace(peek())) {
      position++;
    }
  }
}
