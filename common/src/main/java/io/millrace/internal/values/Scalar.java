package io.millrace.internal.values;

import io.millrace.internal.json.JsonWriter;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The form of a single value. Accepts only its own kind of JSON value.
 *
 * @param writer writes the value, or throws a {@link ValueFault}
 * @param reader returns the value that is described, or throws a {@link ValueFault}
 */
record Scalar<T>(Class<T> type, BiConsumer<JsonWriter, T> writer, Function<JsonNode, T> reader) {

  void write(JsonWriter json, Object value) {
    writer.accept(json, type.cast(value));
  }
}
