package io.millrace.internal.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** A value that no log, message or {@code toString} shows. Immutable. */
public final class Secret {
  /** The text shown instead of the value. */
  static final String HIDDEN = "***";

  private final String value;

  private Secret(String value) {
    this.value = value;
  }

  /**
   * Wraps the value.
   *
   * @throws IllegalArgumentException if the value is blank
   */
  public static Secret of(String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException("must not be blank");
    }
    return new Secret(value);
  }

  /** The value itself, for code that must use it. */
  public String reveal() {
    return value;
  }

  /** Compares in constant time, so that the duration does not reveal where the values differ. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Secret secret && MessageDigest.isEqual(bytes(), secret.bytes());
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return HIDDEN;
  }

  private byte[] bytes() {
    return value.getBytes(StandardCharsets.UTF_8);
  }
}
