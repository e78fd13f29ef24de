package io.millrace.internal.json;

/**
 * Checks that a text is one JSON value of RFC 8259, nested at most {@value #MAX_DEPTH} deep, with
 * numbers of bounded length and exponents of at most {@value #MAX_EXPONENT_DIGITS} digits.
 *
 * <p>What reads the text after this check needs none of its own: it cannot run past the end, nest
 * without a bound, or take comments, trailing commas and the like for JSON.
 */
final class StrictJson {
  static final int MAX_DEPTH = 32;

  /** No 64-bit number needs a longer exponent. */
  static final int MAX_EXPONENT_DIGITS = 3;

  static final char END = '\0';

  private final String text;
  private final int maxNumberChars;
  private int position;

  private StrictJson(String text, int maxNumberChars) {
    this.text = text;
    this.maxNumberChars = maxNumberChars;
  }

  /**
   * Checks a text.
   *
   * @param maxNumberChars the most characters of a number
   * @throws MalformedJsonException naming the first position that is not JSON
   */
  static void check(String text, int maxNumberChars) {
    StrictJson json = new StrictJson(text, maxNumberChars);
    json.skipSpace();
    json.value(0);
    json.skipSpace();
    if (json.position != text.length()) {
      throw json.malformed("unexpected text after the value");
    }
  }

  private void value(int depth) {
    switch (peek()) {
      case '{' -> object(depth + 1);
      case '[' -> array(depth + 1);
      case '"' -> string();
      case 't' -> literal("true");
      case 'f' -> literal("false");
      case 'n' -> literal("null");
      default -> number();
    }
  }

  private void object(int depth) {
    enter(depth);
    if (nextIs('}')) {
      return;
    }
    do {
      skipSpace();
      if (peek() != '"') {
        throw malformed("expected a field name");
      }
      string();
      skipSpace();
      expect(':');
      skipSpace();
      value(depth);
      skipSpace();
    } while (nextIs(','));
    expect('}');
  }

  private void array(int depth) {
    enter(depth);
    if (nextIs(']')) {
      return;
    }
    do {
      skipSpace();
      value(depth);
      skipSpace();
    } while (nextIs(','));
    expect(']');
  }

  private void enter(int depth) {
    if (depth > MAX_DEPTH) {
      throw malformed("nested deeper than " + MAX_DEPTH);
    }
    position++;
    skipSpace();
  }

  private void string() {
    position++;
    while (nextSpecial() != '"') {
      escape();
    }
  }

  /** Passes over the characters of a string up to its end or an escape, and over that character. */
  private char nextSpecial() {
    // A local: the compiler keeps it in a register, which it cannot do with a field.
    int i = position;
    char c = 0;
    while (i < text.length() && (c = text.charAt(i)) >= ' ' && c != '"' && c != '\\') {
      i++;
    }
    position = i;
    if (i == text.length() || c < ' ') {
      throw malformed("a string is not closed or contains a raw control character");
    }
    position++;
    return c;
  }

  private void escape() {
    char c = peek();
    position++;
    if (c == 'u') {
      for (int i = 0; i < 4; i++, position++) {
        if (!isHexDigit(peek())) {
          throw malformed("expected four hex digits");
        }
      }
    } else if ("\"\\/bfnrt".indexOf(c) < 0) {
      throw malformed("unknown escape sequence");
    }
  }

  private void number() {
    int start = position;
    nextIs('-');
    if (!nextIs('0')) {
      digits();
    }
    if (nextIs('.')) {
      digits();
    }
    if (nextIs('e') || nextIs('E')) {
      if (!nextIs('+')) {
        nextIs('-');
      }
      int exponent = position;
      digits();
      if (position - exponent > MAX_EXPONENT_DIGITS) {
        throw malformed("an exponent has more than " + MAX_EXPONENT_DIGITS + " digits");
      }
    }
    if (position - start > maxNumberChars) {
      throw malformed("a number is longer than " + maxNumberChars + " characters");
    }
  }

  private void digits() {
    if (!isDigit(peek())) {
      throw malformed("expected a value");
    }
    while (isDigit(peek())) {
      position++;
    }
  }

  private void literal(String word) {
    if (!text.startsWith(word, position)) {
      throw malformed("expected a value");
    }
    position += word.length();
  }

  private void skipSpace() {
    while (isSpace(peek())) {
      position++;
    }
  }

  private char peek() {
    return position < text.length() ? text.charAt(position) : END;
  }

  private boolean nextIs(char c) {
    if (peek() != c) {
      return false;
    }
    position++;
    return true;
  }

  private void expect(char c) {
    if (!nextIs(c)) {
      throw malformed("expected '" + c + "'");
    }
  }

  private MalformedJsonException malformed(String reason) {
    return new MalformedJsonException(reason + " at character " + position);
  }

  static boolean isSpace(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isHexDigit(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }
}
