package io.millrace.jobtracker.group.preload;

import io.millrace.internal.time.Duty;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.engine.EngineListener;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Loads one lane of a node group as its head requires. Reads the head in full once per period, and
 * whenever rows were stored that are unknown here, so that a row that was overlooked is found. In
 * between, refills memory from where it ends. Driven by one timer, which never overlaps its own
 * runs.
 */
public final class PreLoadDuty implements Duty {
  private final PreLoader preLoader;
  private final String group;
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
      String group,
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
    boolean unused = load(now);
    return null;
  }

  /** Loads once, and returns whether in full. */
  boolean load(long now) {
    long begun = time.clock().nanoTime();
    long monotonic = time.monotonicMillis();
    boolean inFull =
        !preLoader.head().wantsRefill()
            || lastInFull == null
            || monotonic - lastInFull >= shortestMillis;
    if (inFull) {
      lastInFull = monotonic;
      preLoader.runOnce(now);
    } else {
      preLoader.refill(now);
    }
    listener.loaded(group, time.clock().nanoTime() - begun);
    return inFull;
  }
}
