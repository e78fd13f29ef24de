package io.millrace.common.codec;

import com.alibaba.fastjson2.JSONReader;
import com.alibaba.fastjson2.JSONWriter;
import org.jspecify.annotations.Nullable;

/**
 * How the values of one type stand in JSON. Immutable and thread-safe.
 *
 * <p>The reader stands at a value that is not null; the text is strict JSON already.
 */
interface JsonForm<T> {

  /** Writes the value. */
  void write(JSONWriter writer, T value);

  /**
   * Reads a value.
   *
   * @throws InvalidValueException if what stands there is of another form
   */
  T read(JSONReader reader);

  /** What a missing value means; null if it may not be missing. */
  default @Nullable T absent() {
    return null;
  }
}
