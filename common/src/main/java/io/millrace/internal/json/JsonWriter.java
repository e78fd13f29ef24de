package io.millrace.internal.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes the tokens of one JSON value, without spaces; sets the commas by itself. Not thread-safe.
 */
public final class JsonWriter {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  /** No char takes more bytes than one that is escaped by its number. */
  private static final int MOST_BYTES_OF_A_CHAR = 6;

  private static final int FIRST_BYTES = 512;

  /** Up to this size the buffer grows fast: a batch of jobs would copy it six times otherwise. */
  private static final int LARGE_BYTES = 64 << 10;

  /** A larger buffer is not kept for the next writer. */
  private static final int MOST_BYTES_KEPT = 256 << 10;

  private static final ThreadLocal<Spare> SPARE = ThreadLocal.withInitial(Spare::new);

  private final boolean keepsHalfPairs;
  private byte[] utf8;
  private int length;

  /** How many of the bytes are more than there are characters. */
  private int bytesMoreThanChars;

  private boolean afterValue;

  /** Makes a writer that replaces half a surrogate pair by a question mark. */
  public JsonWriter() {
    this(false, new byte[FIRST_BYTES]);
  }

  private JsonWriter(boolean keepsHalfPairs, byte[] buffer) {
    this.keepsHalfPairs = keepsHalfPairs;
    this.utf8 = buffer;
  }

  /**
   * Makes a writer over the buffer that the last such writer of this thread gave back, so that
   * values of some size do not grow a buffer each. {@link #giveBack} ends its use.
   */
  public static JsonWriter reusing() {
    Spare spare = SPARE.get();
    byte[] buffer = spare.buffer;
    spare.buffer = null;
    return buffer == null ? new JsonWriter() : new JsonWriter(false, buffer);
  }

  /** Leaves the buffer to the next writer of this thread; this one must not be used any more. */
  public void giveBack() {
    if (utf8.length <= MOST_BYTES_KEPT) {
      SPARE.get().buffer = utf8;
    }
  }

  /**
   * Makes a writer that escapes half a surrogate pair, which UTF-8 cannot hold, so that every
   * string comes back as it was.
   */
  public static JsonWriter lossless() {
    return new JsonWriter(true, new byte[FIRST_BYTES]);
  }

  public void startObject() {
    start('{');
  }

  public void endObject() {
    end('}');
  }

  public void startArray() {
    start('[');
  }

  public void endArray() {
    end(']');
  }

  /** Writes the name of a field; its value must follow. */
  public void writeName(String name) {
    separate();
    string(name);
    ascii(':');
  }

  /** Encodes a name that is written often, for {@link #writeName(byte[])}; it must be ASCII. */
  public static byte[] encodeName(String name) {
    JsonWriter writer = new JsonWriter();
    writer.writeName(name);
    return writer.toBytes();
  }

  /** Writes an {@linkplain #encodeName encoded} name of a field; its value must follow. */
  public void writeName(byte[] encoded) {
    separate();
    copy(encoded);
  }

  /** Writes a value that is JSON as it stands, of this many characters. */
  public void writeEncoded(byte[] encoded, int chars) {
    separate();
    copy(encoded);
    bytesMoreThanChars += encoded.length - chars;
    afterValue = true;
  }

  private void copy(byte[] encoded) {
    ensure(encoded.length);
    System.arraycopy(encoded, 0, utf8, length, encoded.length);
    length += encoded.length;
  }

  public void writeString(String value) {
    separate();
    string(value);
    afterValue = true;
  }

  /** Writes a string of ASCII characters of which none needs an escape, without looking at them. */
  public void writePlainString(String value) {
    separate();
    ensure(value.length() + 2);
    put('"');
    copy(value);
    put('"');
    afterValue = true;
  }

  public void writeInt(int value) {
    literal(Integer.toString(value));
  }

  /** Writes a number, which must be finite. */
  public void writeDouble(double value) {
    literal(Double.toString(value));
  }

  /** Writes a number that is JSON as it stands. */
  public void writeNumber(String number) {
    literal(number);
  }

  public void writeBoolean(boolean value) {
    literal(Boolean.toString(value));
  }

  /** The number of characters so far. */
  public int chars() {
    return length - bytesMoreThanChars;
  }

  /** The value in UTF-8. */
  public byte[] toBytes() {
    return Arrays.copyOf(utf8, length);
  }

  @Override
  public String toString() {
    return new String(utf8, 0, length, StandardCharsets.UTF_8);
  }

  private void start(char bracket) {
    separate();
    ascii(bracket);
  }

  private void end(char bracket) {
    ascii(bracket);
    afterValue = true;
  }

  private void literal(String literal) {
    separate();
    ensure(literal.length());
    copy(literal);
    afterValue = true;
  }

  /** Copies ASCII characters; there is room for them. */
  @SuppressWarnings("deprecation") // it ignores the high bytes, which ASCII does not have
  private void copy(String ascii) {
    ascii.getBytes(0, ascii.length(), utf8, length);
    length += ascii.length();
  }

  private void separate() {
    if (afterValue) {
      ascii(',');
      afterValue = false;
    }
  }

  private void ascii(char c) {
    ensure(1);
    put(c);
  }

  private void put(int b) {
    utf8[length++] = (byte) b;
  }

  private void ensure(int more) {
    if (utf8.length - length < more) {
      int factor = utf8.length < LARGE_BYTES ? 4 : 2;
      utf8 = Arrays.copyOf(utf8, Math.max(length + more, utf8.length * factor));
    }
  }

  private void string(String value) {
    ascii('"');
    for (int i = plain(value, 0); i < value.length(); i = plain(value, i)) {
      char c = value.charAt(i);
      ensure(MOST_BYTES_OF_A_CHAR);
      i++;
      if (c < 0x80) {
        escape(c);
      } else if (!Character.isSurrogate(c)) {
        multibyte(c);
      } else if (isPair(value, i - 1)) {
        supplementary(value.codePointAt(i - 1));
        i++;
      } else if (keepsHalfPairs) {
        escape(c);
      } else {
        put('?');
      }
    }
    ascii('"');
  }

  /** Writes the characters that take one byte each; returns where the first other one is. */
  private int plain(String value, int from) {
    ensure(value.length() - from);
    // Locals: the compiler keeps them in registers, which it cannot do with fields.
    byte[] bytes = utf8;
    int end = length;
    int i = from;
    for (; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < ' ' || c >= 0x80 || c == '"' || c == '\\') {
        break;
      }
      bytes[end++] = (byte) c;
    }
    length = end;
    return i;
  }

  private static boolean isPair(String value, int at) {
    return at + 1 < value.length()
        && Character.isSurrogatePair(value.charAt(at), value.charAt(at + 1));
  }

  private void escape(char c) {
    put('\\');
    switch (c) {
      case '"', '\\' -> put(c);
      case '\b' -> put('b');
      case '\f' -> put('f');
      case '\n' -> put('n');
      case '\r' -> put('r');
      case '\t' -> put('t');
      default -> number(c);
    }
  }

  private void number(char c) {
    put('u');
    for (int shift = 12; shift >= 0; shift -= 4) {
      put(HEX[c >> shift & 0xf]);
    }
  }

  private void multibyte(char c) {
    if (c < 0x800) {
      put(0xc0 | c >> 6);
      bytesMoreThanChars++;
    } else {
      put(0xe0 | c >> 12);
      put(0x80 | (c >> 6 & 0x3f));
      bytesMoreThanChars += 2;
    }
    put(0x80 | (c & 0x3f));
  }

  private void supplementary(int codePoint) {
    bytesMoreThanChars += 2;
    put(0xf0 | codePoint >> 18);
    put(0x80 | (codePoint >> 12 & 0x3f));
    put(0x80 | (codePoint >> 6 & 0x3f));
    put(0x80 | (codePoint & 0x3f));
  }

  /** The buffer that the last writer of a thread gave back; null while one uses it. */
  private static final class Spare {
    private byte @Nullable [] buffer;
  }
}
