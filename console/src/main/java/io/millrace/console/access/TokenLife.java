package io.millrace.console.access;

import io.millrace.internal.config.Bounds;
import io.millrace.internal.config.ValueTypes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long tokens may be valid.
 *
 * @param longest the longest life of a token that is issued or renewed; null if it may have no end
 */
public record TokenLife(@Nullable Duration longest) {
  /** Tokens need no end. */
  public static final TokenLife UNLIMITED = new TokenLife(null);

  private static final Duration MOST = Duration.ofDays(36_500);
  public static final Bounds<Duration> BOUNDS = Bounds.between(Duration.ofMinutes(1), MOST);

  /**
   * Returns when a token ends, in epoch milliseconds; null if never.
   *
   * @param wanted how long it is to be valid; null for as long as it may be
   * @param now epoch milliseconds
   * @throws IllegalArgumentException if this is not allowed; the message says what is
   */
  @Nullable Long endOf(@Nullable Duration wanted, long now) {
    Duration life = wanted == null ? longest : wanted;
    if (life == null) {
      return null;
    }
    if (!BOUNDS.include(life)) {
      throw new IllegalArgumentException("a token must be valid for 1m to 36500d");
    }
    if (longest != null && life.compareTo(longest) > 0) {
      throw new IllegalArgumentException(
          "a token may be valid for at most %s (console.max-token-life)"
              .formatted(ValueTypes.DURATION.writer().apply(longest)));
    }
    return now + life.toMillis();
  }

  /** Returns the life, or the longest that is allowed if that is shorter. */
  @Nullable Duration atMost(@Nullable Duration life) {
    return life == null || (longest != null && life.compareTo(longest) > 0) ? longest : life;
  }
}
