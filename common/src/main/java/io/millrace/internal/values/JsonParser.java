package io.millrace.internal.values;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one JSON value of RFC 8259 from a text of at most {@value #MAX_CHARS} characters, nested at
 * most {@value #MAX_DEPTH} deep, with numbers of at most {@value #MAX_NUMBER_CHARS} characters and
 * exponents of at most {@value #MAX_EXPONENT_DIGITS} digits. A name may stand only once in an
 * object. Confined to one thread.
 */
final class JsonParser {
  /** As many as the parameters of a job may have bytes. */
  static final int MAX_CHARS = 1 << 20;

  static final int MAX_DEPTH = 32;

  /** The time to convert a longer number grows with the square of its length. */
  static final int MAX_NUMBER_CHARS = 128;

  static final int MAX_EXPONENT_DIGITS = 3;

  private static final char END = '\0';

  private final String text;
  private int position;

  private JsonParser(String text) {
    this.text = text;
  }

  /**
   * Reads the value.
   *
   * @throws ValueFault naming the first position that is not JSON
   */
  static JsonNode parse(String text) {
    if (text.length() > MAX_CHARS) {
      throw new ValueFault(
          "has %d characters; at most %d are allowed".formatted(text.length(), MAX_CHARS));
    }
    JsonParser parser = new JsonParser(text);
    parser.skipSpace();
    JsonNode value = parser.value(0);
    parser.skipSpace();
    if (parser.position != text.length()) {
      throw parser.malformed("unexpected text after the value");
    }
    return value;
  }

  private JsonNode value(int depth) {
    return switch (peek()) {
      case '{' -> object(depth + 1);
      case '[' -> array(depth + 1);
      case '"' -> new JsonNode.Text(string());
      case 't' -> literal("true", new JsonNode.Flag(true));
      case 'f' -> literal("false", new JsonNode.Flag(false));
      case 'n' -> literal("null", new JsonNode.Null());
      default -> number();
    };
  }

  private JsonNode object(int depth) {
    enter(depth);
    Map<String, JsonNode> fields = new LinkedHashMap<>();
    if (nextIs('}')) {
      return new JsonNode.Fields(fields);
    }
    do {
      skipSpace();
      if (peek() != '"') {
        throw malformed("expected a field name");
      }
      String name = string();
      skipSpace();
      expect(':');
      skipSpace();
      if (fields.put(name, value(depth)) != null) {
        throw new ValueFault("has the field '" + ValueFault.cut(name) + "' twice");
      }
      skipSpace();
    } while (nextIs(','));
    expect('}');
    return new JsonNode.Fields(fields);
  }

  private JsonNode array(int depth) {
    enter(depth);
    List<JsonNode> elements = new ArrayList<>();
    if (nextIs(']')) {
      return new JsonNode.Elements(elements);
    }
    do {
      skipSpace();
      elements.add(value(depth));
      skipSpace();
    } while (nextIs(','));
    expect(']');
    return new JsonNode.Elements(elements);
  }

  private void enter(int depth) {
    if (depth > MAX_DEPTH) {
      throw malformed("nested deeper than " + MAX_DEPTH);
    }
    position++;
    skipSpace();
  }

  private String string() {
    position++;
    int start = position;
    StringBuilder unescaped = null;
    while (true) {
      char c = peek();
      if (c < ' ') {
        throw malformed("a string is not closed or contains a raw control character");
      }
      position++;
      if (c == '"') {
        String rest = text.substring(start, position - 1);
        return unescaped == null ? rest : unescaped.append(rest).toString();
      }
      if (c == '\\') {
        unescaped = unescaped == null ? new StringBuilder() : unescaped;
        unescaped.append(text, start, position - 1).append(escape());
        start = position;
      }
    }
  }

  private char escape() {
    char c = peek();
    position++;
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> hexCode();
      default -> throw malformed("unknown escape sequence");
    };
  }

  private char hexCode() {
    int code = 0;
    for (int i = 0; i < 4; i++, position++) {
      char c = peek();
      int digit = c < 128 ? Character.digit(c, 16) : -1;
      if (digit < 0) {
        throw malformed("expected four hex digits");
      }
      code = code * 16 + digit;
    }
    return (char) code;
  }

  private JsonNode number() {
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
    if (position - start > MAX_NUMBER_CHARS) {
      throw malformed("a number is longer than " + MAX_NUMBER_CHARS + " characters");
    }
    return new JsonNode.Numeral(text.substring(start, position));
  }

  private void digits() {
    if (!isDigit(peek())) {
      throw malformed("expected a value");
    }
    while (isDigit(peek())) {
      position++;
    }
  }

  private JsonNode literal(String word, JsonNode value) {
    if (!text.startsWith(word, position)) {
      throw malformed("expected a value");
    }
    position += word.length();
    return value;
  }

  private void skipSpace() {
    while (" \n\r\t".indexOf(peek()) >= 0) {
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

  private ValueFault malformed(String reason) {
    return new ValueFault("is not JSON: " + reason + " at character " + position);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
