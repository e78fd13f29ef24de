package io.millrace.jobclient.request;

import io.millrace.common.time.Clock;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/**
 * Mints submission ids: {@value #LENGTH} lower-case hexadecimal digits that hold the millisecond, a
 * counter and a random number chosen once for the client.
 *
 * <p>The ids of one client rise, also when the clock steps back, and the ids of all clients are
 * close to each other in time order, so that an index over them is appended to. Thread-safe.
 */
public final class SubmissionIds {
  public static final int LENGTH = 36;

  private static final int MILLIS_DIGITS = 12;
  private static final int COUNTER_DIGITS = 8;

  private final Clock clock;
  private final String clientPart;
  private long lastMillis;
  private long counter;

  /** Ids of one client. */
  public SubmissionIds(Clock clock, RandomGenerator random) {
    this.clock = clock;
    this.clientPart = HexFormat.of().toHexDigits(random.nextLong());
  }

  /** A new one, greater than all before. */
  public synchronized String next() {
    long millis = clock.millis();
    if (millis > lastMillis) {
      lastMillis = millis;
      counter = 0;
    } else {
      counter++;
    }
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(lastMillis, MILLIS_DIGITS)
        + hex.toHexDigits(counter, COUNTER_DIGITS)
        + clientPart;
  }
}
