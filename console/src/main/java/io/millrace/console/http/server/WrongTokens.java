package io.millrace.console.http.server;

import io.millrace.console.http.Refusals;
import io.millrace.console.http.Refusals.Reason;
import io.millrace.internal.collection.BoundedMap;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts and logs the wrong tokens from each address, and decides how long the rejection of one is
 * delayed. A valid token is never delayed, so clients that share an address with an attacker are
 * not affected. Thread-safe.
 */
final class WrongTokens {
  /**
   * Wrong tokens per minute that are not delayed, to allow for typing errors and for scripts with
   * an old token.
   */
  static final int FREE_IN_A_MINUTE = 10;

  private static final Logger LOG = LoggerFactory.getLogger(WrongTokens.class);
  private static final long MINUTE = 60_000;
  private static final int ADDRESSES = 1_000;

  /** Wrong tokens within a minute from the first of them. */
  private record Seen(long first, int count) {}

  private final Refusals refusals;
  private final Duration delay;
  private final Map<String, Seen> seen = BoundedMap.byUse(ADDRESSES);
  private String last = "";
  private final Tally tally =
      new Tally(
          count ->
              LOG.warn(
                  "console: {} requests had an unknown token, the last one from {}",
                  count,
                  last()));

  /**
   * @param delay of a rejection, once an address exceeds {@link #FREE_IN_A_MINUTE}
   */
  WrongTokens(Refusals refusals, Duration delay) {
    this.delay = delay;
    this.refusals = refusals;
  }

  private String last() {
    return last;
  }

  /** Counts a wrong token from this address; returns the delay of its rejection. */
  synchronized Duration from(String address, long now) {
    Seen before = seen.get(address);
    Seen counted =
        before == null || now - before.first() >= MINUTE
            ? new Seen(now, 1)
            : new Seen(before.first(), before.count() + 1);
    seen.put(address, counted);
    last = address;
    refusals.refused(Reason.TOKEN);
    tally.add(now);
    return counted.count() > FREE_IN_A_MINUTE ? delay : Duration.ZERO;
  }

  /** Logs the unlogged wrong tokens if a report is due; called periodically. */
  synchronized void reportIfDue(long now) {
    tally.reportIfDue(now);
  }
}
