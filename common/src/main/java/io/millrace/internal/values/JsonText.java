package io.millrace.internal.values;

import io.millrace.internal.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Rules for JSON that is stored as text: one bound and one message, for workers and trackers. */
public final class JsonText {
  /** Bytes of UTF-8 that the result of an execution may take: 64 KiB. */
  public static final int MAX_BYTES = 64 << 10;

  private JsonText() {}

  /**
   * What is wrong with this text as a value of bounded size, for a person, or null: it is larger
   * than {@value #MAX_BYTES} bytes, or is not JSON.
   */
  public static @Nullable String faultOf(String text) {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_BYTES) {
      return "has %d bytes of UTF-8; at most %d are allowed".formatted(bytes, MAX_BYTES);
    }
    try {
      JsonNode unused = JsonTree.parse(text);
      return null;
    } catch (ValueFault fault) {
      return fault.words();
    }
  }

  /** Whether the text is one JSON value within the bounds of this package. */
  public static boolean isJson(String text) {
    try {
      JsonNode unused = JsonTree.parse(text);
      return true;
    } catch (ValueFault fault) {
      return false;
    }
  }

  /** The text as a JSON string. Characters that UTF-8 cannot carry alone are escaped. */
  public static String quote(String text) {
    JsonWriter writer = JsonWriter.lossless();
    writer.writeString(text);
    return writer.toString();
  }
}
