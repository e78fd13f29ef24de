package io.millrace.internal.codec;

import io.millrace.internal.json.JsonReader;
import io.millrace.internal.json.JsonWriter;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the values of one type as JSON. Immutable and thread-safe.
 *
 * <p>The reader is at a value that is not null; the text was checked to be strict JSON.
 */
interface JsonForm<T> {

  /** Writes the value. */
  void write(JsonWriter writer, T value);

  /**
   * Reads a value.
   *
   * @throws InvalidValueException if the value has another form
   */
  T read(JsonReader reader);

  /** The default for a missing value; null if the value must be present. */
  default @Nullable T absent() {
    return null;
  }
}
