package io.millrace.internal.values;

import io.millrace.internal.json.JsonReader;
import io.millrace.internal.json.MalformedJsonException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one JSON value of at most {@value #MAX_CHARS} characters, with numbers of at most {@value
 * #MAX_NUMBER_CHARS}. A name may stand only once in an object. Stateless.
 */
final class JsonTree {
  /** As many as the parameters of a job may have bytes. */
  static final int MAX_CHARS = 1 << 20;

  /** The time to convert a longer number grows with the square of its length. */
  static final int MAX_NUMBER_CHARS = 128;

  private JsonTree() {}

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
    try {
      return value(JsonReader.of(text, MAX_NUMBER_CHARS));
    } catch (MalformedJsonException e) {
      throw new ValueFault("is not JSON: " + e.getMessage());
    }
  }

  private static JsonNode value(JsonReader reader) {
    if (reader.nextIfObjectStart()) {
      return object(reader);
    }
    if (reader.nextIfArrayStart()) {
      return array(reader);
    }
    if (reader.isString()) {
      return new JsonNode.Text(reader.readString());
    }
    if (reader.isBool()) {
      return new JsonNode.Flag(reader.readBoolean());
    }
    return reader.nextIfNull() ? new JsonNode.Null() : new JsonNode.Numeral(reader.readNumber());
  }

  private static JsonNode object(JsonReader reader) {
    Map<String, JsonNode> fields = new LinkedHashMap<>();
    while (!reader.nextIfObjectEnd()) {
      String name = reader.readFieldName();
      if (fields.put(name, value(reader)) != null) {
        throw new ValueFault("has the field '" + ValueFault.cut(name) + "' twice");
      }
    }
    return new JsonNode.Fields(fields);
  }

  private static JsonNode array(JsonReader reader) {
    List<JsonNode> elements = new ArrayList<>();
    while (!reader.nextIfArrayEnd()) {
      elements.add(value(reader));
    }
    return new JsonNode.Elements(elements);
  }
}
