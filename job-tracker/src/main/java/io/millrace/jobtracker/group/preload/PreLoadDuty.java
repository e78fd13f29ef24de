package io.millrace.jobtracker.group.preload;

import io.millrace.common.time.Duty;
import io.millrace.common.time.TimedExecutor;
import io.millrace.jobtracker.domain.lease.GroupMemory;
import io.millrace.jobtracker.engine.EngineListener;
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
  private final GroupMemory group;
  private final TimedExecutor time;
  private final EngineListener listener;
  private final long shortestMillis;
  private @Nullable Long lastInFull;

  /**
   * @param period of the timer; what it spreads its waits by must not make a run of its own a
   *     refill, so nine tenths of it count as one
   * @param listener told how long each run took
   */
  public PreLoadDuty(
      PreLoader preLoader,
      GroupMemory group,
      TimedExecutor time,
      Duration period,
      EngineListener listener) {
    this.preLoader = preLoader;
    this.group = group;
    this.time = time;
    this.listener = listener;
    this.shortestMillis = period.toMillis() * 9 / 10;
  }

  /** Returns nothing for the log: it runs too often. */
  @Override
  public @Nullable Object runOnce(long now) {
    long begun = time.clock().nanoTime();
    long monotonic = time.monotonicMillis();
    if (group.head().wantsRefill()
        && lastInFull != null
        && monotonic - lastInFull < shortestMillis) {
      preLoader.refill(now);
    } else {
      lastInFull = monotonic;
      preLoader.runOnce(now);
    }
    listener.loaded(group.name(), time.clock().nanoTime() - begun);
    return null;
  }
}
