package io.millrace.common.codec;

import com.alibaba.fastjson2.JSONException;
import com.alibaba.fastjson2.JSONReader;
import com.alibaba.fastjson2.JSONWriter;
import com.alibaba.fastjson2.reader.ObjectReaderProvider;
import com.alibaba.fastjson2.writer.ObjectWriterProvider;
import io.millrace.common.codec.CodecException.Fault;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;

/** The only codec for the wire, the store, and the JSON sent over HTTP. */
public final class JsonCodec implements Codec {
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

  @Override
  public byte[] encode(Object value) {
    return write(value, writer -> writer.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public String encodeText(Object value) {
    return write(value, JSONWriter::toString);
  }

  @Override
  public <T> T decode(byte[] json, Class<T> type) {
    try {
      return decodeText(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(json)).toString(), type);
    } catch (CharacterCodingException e) {
      throw new CodecException(Fault.MALFORMED, type, "not UTF-8", e);
    }
  }

  @Override
  public <T> T decodeText(String json, Class<T> type) {
    Object value = read(json, type, forms.of(type));
    if (!type.isInstance(value)) {
      throw new CodecException(Fault.INVALID, type, "is not of the expected type", null);
    }
    return type.cast(value);
  }

  @Override
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
    try {
      StrictJson.check(json);
    } catch (MalformedJsonException e) {
      throw refused(Fault.MALFORMED, type, e);
    }
    try (JSONReader reader = JSONReader.of(json, readerContext())) {
      return form.read(reader);
    } catch (InvalidValueException e) {
      throw refused(Fault.INVALID, type, e);
    } catch (JSONException | ArithmeticException | IndexOutOfBoundsException e) {
      // Text that passes the check but that fastjson2 does not read.
      throw refused(Fault.MALFORMED, type, e);
    }
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
