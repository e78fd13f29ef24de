package io.millrace.jobclient.internal.request;

import io.millrace.internal.time.Clock;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/**
 * Creates submission ids. An id has {@value #LENGTH} lower-case hexadecimal digits, which contain
 * the millisecond, a counter, and a random number chosen once for the client.
 *
 * <p>The ids of one client rise, even when the clock steps back. The ids of all clients are roughly
 * in the order of time, so that inserts append to an index over them. Thread-safe.
 */
public final class SubmissionIds {
  public static final int LENGTH = 36;

  private static final int MILLIS_DIGITS = 12;
  private static final int COUNTER_DIGITS = 8;

  private final Clock clock;
  private final String clientPart;
  private long lastMillis;
  private long counter;

  /** Creates the ids of one client. */
  public SubmissionIds(Clock clock, RandomGenerator random) {
    this.clock = clock;
    this.clientPart = HexFormat.of().toHexDigits(random.nextLong());
  }

  /** Returns a new id, greater than all earlier ones. */
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
