package io.millrace.common.config;

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

  /** The same type, for values within these bounds only. */
  static <T extends Comparable<T>> ValueType<T> bounded(ValueType<T> type, Bounds<T> bounds) {
    return new ValueType<>(
        type.name,
        text -> {
          T value = type.parser.apply(text);
          if (!bounds.include(value)) {
            throw new IllegalArgumentException("must be " + type.describe(bounds));
          }
          return value;
        },
        type.writer,
        type.placeholder,
        type.hidden);
  }

  private String describe(Bounds<? extends T> bounds) {
    T least = bounds.least();
    T most = bounds.most();
    if (least == null) {
      return most == null ? "anything" : "at most " + writer.apply(most);
    }
    return most == null
        ? "at least " + writer.apply(least)
        : "between " + writer.apply(least) + " and " + writer.apply(most);
  }
}
