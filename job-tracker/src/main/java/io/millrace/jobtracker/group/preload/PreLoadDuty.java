package io.millrace.jobtracker.group.preload;

import io.millrace.internal.time.Duty;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.domain.lease.GroupMemory;
import io.millrace.jobtracker.engine.EngineListener;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Loads one node group as its head requires. Reads the head in full once per period, and whenever
 * rows were stored that are unknown here, so that a row that was overlooked is found. In between,
 * refills memory from where it ends. Driven by one timer, which never overlaps its own runs.
 */
public final class PreLoadDuty implements Duty {
  private final PreLoader preLoader;
  private final GroupMemory group;
  private final TimedExecutor time;
  private final EngineListener listener;
  private final long shortestMillis;
  private @Nullable Long lastInFull;

  /**
   * @param period of the timer. The timer spreads its waits, and a periodic run must not count as a
   *     refill; so nine tenths of the period count as one
   * @param listener receives the duration of each run
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

  /** Loads once. Returns null, so nothing is logged: it runs too often. */
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
