package io.millrace.jobtracker.preload;

import io.millrace.common.time.Duty;
import io.millrace.common.time.TimedExecutor;
import io.millrace.jobtracker.domain.waiting.WaitingHead;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Loads one node group as its head wants it. Once in a period, and whenever rows were stored of
 * which nobody here knows, the head is read in full: so whatever was overlooked is found. In
 * between, what memory lacks is read on from where it ends. Driven by one timer, which never
 * overlaps itself.
 */
public final class PreLoadDuty implements Duty {
  private final PreLoader preLoader;
  private final WaitingHead head;
  private final TimedExecutor time;
  private final long shortestMillis;
  private @Nullable Long lastInFull;

  /**
   * @param period of the timer; what it spreads its waits by must not make a run of its own a
   *     refill, so nine tenths of it count as one
   */
  public PreLoadDuty(PreLoader preLoader, WaitingHead head, TimedExecutor time, Duration period) {
    this.preLoader = preLoader;
    this.head = head;
    this.time = time;
    this.shortestMillis = period.toMillis() * 9 / 10;
  }

  /** Says nothing of what it did: it runs too often. */
  @Override
  public @Nullable Object runOnce(long now) {
    long monotonic = time.monotonicMillis();
    if (head.wantsRefill() && lastInFull != null && monotonic - lastInFull < shortestMillis) {
      preLoader.refill(now);
    } else {
      lastInFull = monotonic;
      preLoader.runOnce(now);
    }
    return null;
  }
}
