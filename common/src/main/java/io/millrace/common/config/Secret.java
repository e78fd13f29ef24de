package io.millrace.common.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** A value that no log, message or {@code toString} shows. Immutable. */
public final class Secret {
  /** What is shown instead. */
  static final String HIDDEN = "***";

  private final String value;

  private Secret(String value) {
    this.value = value;
  }

  /**
   * Wraps the value.
   *
   * @throws IllegalArgumentException if it is blank
   */
  public static Secret of(String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException("must not be blank");
    }
    return new Secret(value);
  }

  /** The value itself, for whoever must use it. */
  public String reveal() {
    return value;
  }

  /** Compares in a time that does not tell where the values differ. */
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
