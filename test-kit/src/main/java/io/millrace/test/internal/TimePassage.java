package io.millrace.test.internal;

import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.jobtracker.domain.trigger.Placement;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.WaitingStore.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Lets time pass up to an instant. Around what the store plans, time passes from one timer to the
 * next: heartbeats, loads, generation, leases. Where nothing is planned and nothing runs, only the
 * time of day moves, in one jump: all timers measure monotonic time, for which no time has passed.
 * Every planned instant is therefore reached as in a running cluster, and the nights between cost
 * nothing. While a part is due for one worker alone, no time is jumped over.
 *
 * <p>Used on the engine's thread.
 */
final class TimePassage implements Passage {
  /** Before a planned instant: longer than two loads, so that it waits on the timer in time. */
  private static final long BEFORE_PLANNED = Duration.ofSeconds(6).toMillis();

  /** Before the end, so that workers have been heard of recently. */
  private static final long BEFORE_END = Duration.ofSeconds(2).toMillis();

  /** What fell due at most this long ago may not have been claimed yet. */
  private static final long JUST_DUE = Duration.ofSeconds(3).toMillis();

  private static final long SHORTEST_JUMP = Duration.ofSeconds(2).toMillis();
  private static final long BETWEEN_LOOKS = Duration.ofSeconds(1).toMillis();

  private final ManualClock clock;
  private final ManualTimer timer;
  private final Stores stores;
  private final WireRecord wire;
  private final long end;
  private final boolean continuous;
  private long lookAt = Long.MIN_VALUE;
  private volatile boolean over;

  /**
   * @param end epoch milliseconds
   * @param continuous whether time passes without a jump and does not stand still for handlers, as
   *     when a handler itself lets it pass: leases and time-outs are then kept
   */
  TimePassage(
      ManualClock clock,
      ManualTimer timer,
      Stores stores,
      WireRecord wire,
      long end,
      boolean continuous) {
    this.clock = clock;
    this.timer = timer;
    this.stores = stores;
    this.wire = wire;
    this.end = end;
    this.continuous = continuous;
  }

  @Override
  public void step() {
    if (!continuous && clock.millis() >= lookAt && !wire.isAnyUnderWay()) {
      jump();
      lookAt = clock.millis() + BETWEEN_LOOKS;
    }
    if (timer.nextDueMillis().orElse(Long.MAX_VALUE) > end || !timer.runNext()) {
      timer.advanceTo(Math.max(end, clock.millis()));
      over = true;
    }
  }

  private void jump() {
    long now = clock.millis();
    long to = end - BEFORE_END;
    for (NodeGroup group : stores.nodeGroups().all()) {
      if (isDueForOneWorker(group.name(), now)) {
        return;
      }
      OptionalLong due = stores.waiting().nextDue(group.name(), now - JUST_DUE);
      to = Math.min(to, due.orElse(end) - BEFORE_PLANNED);
      Long generateAt = stores.jobs().nextGenerateAt(group.name());
      to = generateAt == null ? to : Math.min(to, generateAt);
    }
    if (to - now >= SHORTEST_JUMP) {
      clock.set(Instant.ofEpochMilli(to));
    }
  }

  /** Whether a part is due for one worker alone. That a worker is gone shows by its silence. */
  private boolean isDueForOneWorker(String group, long now) {
    int level = Level.numberOf(Placement.BOUND, 0) - 1;
    Optional<Level> next = stores.waiting().nextLevel(group, level);
    while (next.isPresent()) {
      level = next.get().number();
      if (!stores.waiting().readDue(group, level, Long.MIN_VALUE, now, 1).isEmpty()) {
        return true;
      }
      next = stores.waiting().nextLevel(group, level);
    }
    return false;
  }

  @Override
  public boolean isOver() {
    return over;
  }

  @Override
  public boolean waitsForHandlers() {
    return !continuous;
  }
}
