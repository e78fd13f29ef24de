package io.millrace.internal.values;

import java.util.function.Function;

/**
 * The form of a single value. Accepts only its own kind of JSON value.
 *
 * @param writer returns the value as JSON
 * @param reader returns the value that is described, or throws a {@link ValueFault}
 */
record Scalar<T>(Class<T> type, Function<T, String> writer, Function<JsonNode, T> reader) {

  String write(Object value) {
    return writer.apply(type.cast(value));
  }
}
