package io.millrace.internal.codec;

import io.millrace.internal.json.JsonReader;
import io.millrace.internal.json.JsonWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A JSON object whose values are strings, in order; a missing one is read as an empty map. */
final class StringMapForm implements JsonForm<Map<String, String>> {

  @Override
  public void write(JsonWriter writer, Map<String, String> values) {
    writer.startObject();
    values.forEach(
        (name, value) -> {
          writer.writeName(name);
          writer.writeString(present(value));
        });
    writer.endObject();
  }

  @Override
  public Map<String, String> read(JsonReader reader) {
    if (!reader.nextIfObjectStart()) {
      throw new InvalidValueException("is not an object");
    }
    Map<String, String> values = new LinkedHashMap<>();
    while (!reader.nextIfObjectEnd()) {
      String name = reader.readFieldName();
      try {
        values.put(name, ScalarForms.readString(reader));
      } catch (InvalidValueException e) {
        throw e.inside("a value");
      }
    }
    return values;
  }

  @Override
  public Map<String, String> absent() {
    return Map.of();
  }

  private static String present(@Nullable String value) {
    if (value == null) {
      throw new InvalidValueException("has a null value");
    }
    return value;
  }
}
