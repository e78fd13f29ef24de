package io.millrace.api;

import java.lang.reflect.Type;

/**
 * Turns values of an application into JSON and back: typed parameters, results, and what a job
 * keeps between its attempts. Implementations are thread-safe.
 */
public interface ValueMapper {

  /**
   * Returns the value as JSON.
   *
   * @throws ValueException if the value has no JSON form; the message says where and why
   */
  String toJson(Object value);

  /**
   * Returns the value that this JSON describes.
   *
   * @param type the class, or the generic type of a list or map
   * @throws ValueException if the text is not JSON or does not fit the type; the message says where
   *     and why
   */
  Object fromJson(String json, Type type);
}
