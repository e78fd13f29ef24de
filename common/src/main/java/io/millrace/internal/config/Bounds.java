package io.millrace.internal.config;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The values a setting may take, both ends included. Immutable.
 *
 * @param least the smallest, or null if there is none
 * @param most the largest, or null if there is none
 */
public record Bounds<T extends Comparable<T>>(@Nullable T least, @Nullable T most) {

  public static <T extends Comparable<T>> Bounds<T> atLeast(T least) {
    return new Bounds<>(least, null);
  }

  public static <T extends Comparable<T>> Bounds<T> atMost(T most) {
    return new Bounds<>(null, most);
  }

  public static <T extends Comparable<T>> Bounds<T> between(T least, T most) {
    return new Bounds<>(least, most);
  }

  /** Whether the value lies within. */
  public boolean include(T value) {
    return (least == null || least.compareTo(value) <= 0)
        && (most == null || most.compareTo(value) >= 0);
  }

  /**
   * Checks that a value lies within.
   *
   * @throws IllegalArgumentException with the name, the bounds and the value
   */
  public void check(String name, T value) {
    if (!include(value)) {
      throw new IllegalArgumentException(
          name + " must be " + describe(String::valueOf) + ": " + value);
    }
  }

  /** The bounds in words, each written by the writer. */
  String describe(Function<T, String> writer) {
    T low = least;
    T high = most;
    if (low == null) {
      return high == null ? "anything" : "at most " + writer.apply(high);
    }
    return high == null
        ? "at least " + writer.apply(low)
        : "between " + writer.apply(low) + " and " + writer.apply(high);
  }
}
