package io.millrace.scripts.operate.file;

import io.millrace.internal.json.JsonReader;
import io.millrace.internal.json.MalformedJsonException;
import io.millrace.internal.values.JsonText;
import io.millrace.scripts.BadInputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/** A JSON value. Immutable as long as its collections are not changed. */
sealed interface Json {

  /**
   * An object, its fields in the order of the text.
   *
   * @param repeated names of fields that stand more than once in the text; the last one counts
   */
  record Fields(Map<String, Json> values, List<String> repeated) implements Json {
    Fields(Map<String, Json> values) {
      this(values, List.of());
    }
  }

  record Elements(List<Json> values) implements Json {}

  /**
   * A string, a number, true, false or null.
   *
   * @param text as it stands in JSON, with the quotation marks of a string
   */
  record Scalar(String text) implements Json {}

  /** How the message of a fault says where it is. */
  Pattern PLACE = Pattern.compile("at character ([0-9]+)");

  /**
   * Reads a value.
   *
   * @throws BadInputException naming the first place that is not JSON
   */
  static Json parse(String text) {
    try {
      return read(JsonReader.of(text));
    } catch (MalformedJsonException e) {
      String message = String.valueOf(e.getMessage());
      String line =
          PLACE
              .matcher(message)
              .results()
              .map(place -> Integer.parseInt(place.group(1)))
              .map(at -> text.substring(0, Math.min(at, text.length())))
              .map(before -> ", in line " + (before.chars().filter(c -> c == '\n').count() + 1))
              .findFirst()
              .orElse("");
      throw new BadInputException("is not JSON: " + message + line, e);
    }
  }

  private static Json read(JsonReader reader) {
    if (reader.nextIfObjectStart()) {
      Map<String, Json> fields = new LinkedHashMap<>();
      List<String> repeated = new ArrayList<>();
      while (!reader.nextIfObjectEnd()) {
        String name = reader.readFieldName();
        if (fields.put(name, read(reader)) != null) {
          repeated.add(name);
        }
      }
      return new Fields(fields, repeated);
    }
    if (reader.nextIfArrayStart()) {
      List<Json> elements = new ArrayList<>();
      while (!reader.nextIfArrayEnd()) {
        elements.add(read(reader));
      }
      return new Elements(elements);
    }
    return new Scalar(scalar(reader));
  }

  private static String scalar(JsonReader reader) {
    if (reader.isString()) {
      return JsonText.quote(reader.readString());
    }
    if (reader.isBool()) {
      return String.valueOf(reader.readBoolean());
    }
    return reader.nextIfNull() ? "null" : reader.readNumber();
  }

  /** The value in one line. */
  default String text() {
    StringBuilder text = new StringBuilder();
    new JsonLayout(text, false).write(this);
    return text.toString();
  }

  /** Returns the path of the first field that stands more than once in its object, or empty. */
  default Optional<String> firstRepeated() {
    if (!(this instanceof Fields fields)) {
      return Optional.empty();
    }
    return fields.repeated().stream()
        .findFirst()
        .or(
            () ->
                fields.values().entrySet().stream()
                    .flatMap(
                        field ->
                            field.getValue().firstRepeated().stream()
                                .map(path -> field.getKey() + "." + path))
                    .findFirst());
  }

  /** Passes each scalar and each list on, with the path of fields that leads to it. */
  default void leaves(String path, BiConsumer<String, String> leaf) {
    if (this instanceof Fields fields) {
      fields
          .values()
          .forEach((name, value) -> value.leaves(path.isEmpty() ? name : path + "." + name, leaf));
    } else {
      leaf.accept(path, text());
    }
  }
}
