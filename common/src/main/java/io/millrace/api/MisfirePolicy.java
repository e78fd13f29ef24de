package io.millrace.api;

import io.millrace.internal.annotation.DefaultWhenMissing;
import java.time.Duration;
import java.util.Objects;

/**
 * What happens to missed fire times of a recurring job. A fire time is missed if no worker had
 * claimed it when the next one was due, or a minute (by default) after its planned time, because no
 * tracker ran or every worker was busy. A fire time that does not run is SKIPPED in the ledger;
 * several in a row share one row. One-shots, retries, and requested runs are never missed: they run
 * as soon as they can. Immutable.
 *
 * @param kind which of the missed fire times still run
 * @param window the largest age at which a missed fire time still runs; 1 hour unless set
 * @param cap how many missed fire times run at most, the latest ones; 100 unless set. Applies to
 *     {@link Kind#ALL} only
 * @param afterPause whether fire times during a pause count as missed on resume; otherwise, and by
 *     default, all of them are skipped
 */
public record MisfirePolicy(Kind kind, Duration window, int cap, boolean afterPause) {

  /** Which of the missed fire times still run. */
  public enum Kind {
    /** None. */
    NONE,
    /** The latest one; those before it are skipped. */
    LATEST,
    /** All that the window and the cap allow. */
    ALL,
    /** A value of a newer protocol. */
    UNKNOWN
  }

  /** The largest age at which a missed fire time still runs, unless set. */
  public static final Duration DEFAULT_WINDOW = Duration.ofHours(1);

  /** How many missed fire times of {@link Kind#ALL} run at most, unless set. */
  public static final int DEFAULT_CAP = 100;

  /** The latest fire time that is due runs, if it is not older than an hour. */
  @DefaultWhenMissing
  public static final MisfirePolicy DEFAULT =
      new MisfirePolicy(Kind.LATEST, DEFAULT_WINDOW, DEFAULT_CAP, false);

  public MisfirePolicy {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(window, "window");
  }

  /** Skips all missed fire times. */
  public static MisfirePolicy none() {
    return new MisfirePolicy(Kind.NONE, DEFAULT_WINDOW, DEFAULT_CAP, false);
  }

  /** Runs the latest fire time that is due, and none before it. */
  public static MisfirePolicy latest() {
    return DEFAULT;
  }

  /** Runs every missed fire time that the window and the cap allow. */
  public static MisfirePolicy all() {
    return new MisfirePolicy(Kind.ALL, DEFAULT_WINDOW, DEFAULT_CAP, false);
  }

  /** The same policy with another window. */
  public MisfirePolicy within(Duration newWindow) {
    return new MisfirePolicy(kind, newWindow, cap, afterPause);
  }

  /** The same policy with another cap. */
  public MisfirePolicy atMost(int newCap) {
    return new MisfirePolicy(kind, window, newCap, afterPause);
  }

  /** The same policy, which also counts fire times during a pause as missed. */
  public MisfirePolicy alsoAfterPause() {
    return new MisfirePolicy(kind, window, cap, true);
  }
}
