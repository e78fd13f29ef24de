package io.millrace.internal.config;

import java.time.Duration;

/** Checks the values of a configuration; {@link Bounds#check} checks a range. */
public final class Check {
  private Check() {}

  /**
   * Checks a condition.
   *
   * @throws IllegalArgumentException with this message, if it does not hold
   */
  public static void that(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  /**
   * Checks that a duration is longer than zero.
   *
   * @throws IllegalArgumentException with the name and the value, if it is not
   */
  public static void positive(String name, Duration value) {
    that(value.compareTo(Duration.ZERO) > 0, name + " must be positive: " + value);
  }
}
