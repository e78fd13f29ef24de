package io.millrace.internal.codec;

import com.alibaba.fastjson2.JSONException;
import com.alibaba.fastjson2.JSONReader;
import com.alibaba.fastjson2.JSONWriter;
import com.alibaba.fastjson2.reader.ObjectReaderProvider;
import com.alibaba.fastjson2.writer.ObjectWriterProvider;
import io.millrace.internal.codec.CodecException.Fault;
import java.nio.ByteBuffer;
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
  private final JsonForms forms;
  private final ObjectReaderProvider readerProvider = new ObjectReaderProvider();
  private final ObjectWriterProvider writerProvider = new ObjectWriterProvider();

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
    return write(value, writer -> writer.getBytes(StandardCharsets.UTF_8));
  }

  /** Like {@link #encode}, as text, for storage. */
  public String encodeText(Object value) {
    return write(value, JSONWriter::toString);
  }

  /**
   * Decodes UTF-8 JSON.
   *
   * @throws CodecException if the bytes are not JSON, or do not match the type
   */
  public <T> T decode(byte[] json, Class<T> type) {
    try {
      return decodeText(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(json)).toString(), type);
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

  private <R> R write(Object value, Function<JSONWriter, R> result) {
    try (JSONWriter writer = JSONWriter.ofUTF8(writerContext())) {
      if (value instanceof Map<?, ?> strings) {
        writeStrings(writer, strings);
      } else {
        forms.of(value.getClass()).write(writer, value);
      }
      return result.apply(writer);
    } catch (InvalidValueException e) {
      throw refused(Fault.INVALID, value.getClass(), e);
    }
  }

  @SuppressWarnings("unchecked")
  private static void writeStrings(JSONWriter writer, Map<?, ?> strings) {
    JsonForms.STRINGS.write(writer, (Map<String, String>) strings);
  }

  private <T> T read(String json, Class<?> type, JsonForm<T> form) {
    try (JSONReader reader = checkedReader(json)) {
      return form.read(reader);
    } catch (InvalidValueException e) {
      throw refused(Fault.INVALID, type, e);
    } catch (JSONException | ArithmeticException | IndexOutOfBoundsException e) {
      // Text that the check rejects, or that passes it but that fastjson2 does not read.
      throw refused(Fault.MALFORMED, type, e);
    }
  }

  private JSONReader checkedReader(String json) {
    StrictJson.check(json);
    return JSONReader.of(json, readerContext());
  }

  private static CodecException refused(Fault fault, Class<?> type, RuntimeException cause) {
    return new CodecException(fault, type, String.valueOf(cause.getMessage()), cause);
  }

  /**
   * Sets the features explicitly, because the application may have changed fastjson2's defaults.
   */
  private JSONReader.Context readerContext() {
    JSONReader.Context context = new JSONReader.Context(readerProvider);
    context.setFeatures(JSONReader.Feature.DisableReferenceDetect.mask);
    context.setMaxLevel(StrictJson.MAX_DEPTH);
    return context;
  }

  private JSONWriter.Context writerContext() {
    JSONWriter.Context context = new JSONWriter.Context(writerProvider);
    context.setFeatures(0);
    return context;
  }
}
