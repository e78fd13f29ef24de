package io.millrace.console.http.server;

import io.millrace.common.collection.BoundedMap;
import io.millrace.console.http.Refusals;
import io.millrace.console.http.Refusals.Reason;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the wrong tokens that come from an address, has them logged, and says how long the refusal
 * of one is held back. A good token is never held back, so that those who share an address with a
 * stranger do not suffer. Thread-safe.
 */
final class WrongTokens {
  /** What a typing error or a script with an old token may amount to in a minute. */
  static final int FREE_IN_A_MINUTE = 10;

  private static final Logger LOG = LoggerFactory.getLogger(WrongTokens.class);
  private static final long MINUTE = 60_000;
  private static final int ADDRESSES = 1_000;

  private record Seen(long minute, int count) {}

  private final Refusals refusals;
  private final Duration delay;
  private final Map<String, Seen> seen = BoundedMap.byUse(ADDRESSES);
  private String last = "";
  private final Tally tally =
      new Tally(
          count ->
              LOG.warn(
                  "console: {} requests came with a token that is not known, the last from {}",
                  count,
                  last()));

  /**
   * @param delay of a refusal, once more came from an address than are free
   */
  WrongTokens(Refusals refusals, Duration delay) {
    this.delay = delay;
    this.refusals = refusals;
  }

  private String last() {
    return last;
  }

  /** A wrong token came from this address; returns how long its refusal is held back. */
  synchronized Duration from(String address, long now) {
    long minute = now / MINUTE;
    Seen before = seen.get(address);
    int count = before == null || before.minute() != minute ? 1 : before.count() + 1;
    seen.put(address, new Seen(minute, count));
    last = address;
    refusals.refused(Reason.TOKEN);
    tally.add(now);
    return count > FREE_IN_A_MINUTE ? delay : Duration.ZERO;
  }

  /** Logs what has not been logged; asked again and again. */
  synchronized void tellIfDue(long now) {
    tally.tellIfDue(now);
  }
}
