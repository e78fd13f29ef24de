package io.millrace.internal.config;

import java.util.function.Function;

/**
 * How one type of value is written in a configuration. Immutable.
 *
 * @param name name of the type in the documentation, such as {@code duration}
 * @param parser reads a value; throws IllegalArgumentException with a message that says what the
 *     value must be, without repeating the value
 * @param writer writes a value so that the parser can read it
 * @param placeholder replaces a missing required value until {@link Settings#finish} rejects the
 *     configuration
 * @param hidden whether messages must not show its values
 */
public record ValueType<T>(
    String name,
    Function<String, T> parser,
    Function<T, String> writer,
    T placeholder,
    boolean hidden) {

  /** A type whose values may be shown. */
  ValueType(String name, Function<String, T> parser, Function<T, String> writer, T placeholder) {
    this(name, parser, writer, placeholder, false);
  }
}
