package io.millrace.common.config;

import java.util.function.Function;

/**
 * How one type of value is written in a configuration. Immutable.
 *
 * @param name what the documentation calls it, such as {@code duration}
 * @param parser reads it; throws IllegalArgumentException with a message that says what the value
 *     must be, and does not repeat it
 * @param writer writes it so that the parser reads it again
 * @param placeholder stands for a required value that is missing, until {@link Settings#finish}
 *     refuses the whole
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

  /** The same type with fewer values. */
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
