package io.millrace.internal.codec;

import io.millrace.internal.codec.CodecException.Fault;
import io.millrace.internal.json.JsonReader;
import io.millrace.internal.json.JsonWriter;
import io.millrace.internal.json.MalformedJsonException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;

/**
 * Turns records into JSON and back: the only codec for the wire, the store, and the JSON sent over
 * HTTP. Stateless and thread-safe.
 *
 * <p>{@code docs/wire-protocol.md} defines the format: components of type {@code String}, {@code
 * int}, {@code long}, {@code double}, {@code boolean}, {@code Instant}, {@code Duration}, {@code
 * ZoneId}, enum, record, {@code Schedule}, {@code List} of these and {@code Map<String, String>}.
 */
public final class JsonCodec {
  /** What stands in a decoded text for bytes that are not UTF-8. */
  private static final char REPLACEMENT = '\uFFFD';

  private final JsonForms forms;

  /** Makes the codec of the wire: it skips names that this version does not know. */
  public JsonCodec() {
    this(UnknownNames.PASSED_OVER);
  }

  /** Makes a codec that skips or rejects names that this version does not know. */
  public JsonCodec(UnknownNames unknownNames) {
    this.forms = new JsonForms(unknownNames);
  }

  /**
   * Encodes a record, a schedule or a {@code Map<String, String>} as UTF-8 JSON.
   *
   * @throws CodecException if a required component is null or a number is not finite
   */
  public byte[] encode(Object value) {
    return write(value, JsonWriter::toBytes);
  }

  /** Like {@link #encode}, as text, for storage. */
  public String encodeText(Object value) {
    return write(value, JsonWriter::toString);
  }

  /**
   * Decodes UTF-8 JSON.
   *
   * @throws CodecException if the bytes are not JSON, or do not match the type
   */
  public <T> T decode(byte[] json, Class<T> type) {
    String text = new String(json, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) >= 0) {
      checkUtf8(json, type);
    }
    return decodeText(text, type);
  }

  /** A text with a replacement character had it from the start, or was not UTF-8. */
  private static void checkUtf8(byte[] json, Class<?> type) {
    try {
      CharBuffer unused = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(json));
    } catch (CharacterCodingException e) {
      throw new CodecException(Fault.MALFORMED, type, "not UTF-8", e);
    }
  }

  /** Like {@link #decode}, from text. */
  public <T> T decodeText(String json, Class<T> type) {
    Object value = read(json, type, forms.of(type));
    if (!type.isInstance(value)) {
      throw new CodecException(Fault.INVALID, type, "is not of the expected type", null);
    }
    return type.cast(value);
  }

  /** Decodes a JSON object whose values are all strings; keeps the order of the fields. */
  public Map<String, String> decodeStrings(String json) {
    return read(json, Map.class, JsonForms.STRINGS);
  }

  private <R> R write(Object value, Function<JsonWriter, R> result) {
    JsonWriter writer = JsonWriter.reusing();
    try {
      if (value instanceof Map<?, ?> strings) {
        writeStrings(writer, strings);
      } else {
        forms.of(value.getClass()).write(writer, value);
      }
      return result.apply(writer);
    } catch (InvalidValueException e) {
      throw refused(Fault.INVALID, value.getClass(), e);
    } finally {
      writer.giveBack();
    }
  }

  @SuppressWarnings("unchecked")
  private static void writeStrings(JsonWriter writer, Map<?, ?> strings) {
    JsonForms.STRINGS.write(writer, (Map<String, String>) strings);
  }

  private <T> T read(String json, Class<?> type, JsonForm<T> form) {
    try {
      return form.read(JsonReader.of(json));
    } catch (InvalidValueException e) {
      throw refused(Fault.INVALID, type, e);
    } catch (MalformedJsonException e) {
      throw refused(Fault.MALFORMED, type, e);
    }
  }

  private static CodecException refused(Fault fault, Class<?> type, RuntimeException cause) {
    return new CodecException(fault, type, String.valueOf(cause.getMessage()), cause);
  }
}
