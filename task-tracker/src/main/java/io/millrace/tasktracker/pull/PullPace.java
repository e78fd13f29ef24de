package io.millrace.tasktracker.pull;

import io.millrace.common.time.Clock;
import java.time.Duration;

/**
 * When the next pull may leave and when it must. Monotonic time in nanoseconds.
 *
 * <p>Not thread-safe.
 */
final class PullPace {
  private final Clock clock;
  private final long interval;
  private final long pause;
  private final long began;
  private long lastSent;
  private boolean paused;
  private long pausedUntil;

  PullPace(Clock clock, Duration interval, Duration pause) {
    this.clock = clock;
    this.interval = interval.toNanos();
    this.pause = pause.toNanos();
    this.began = clock.nanoTime();
    this.lastSent = began;
  }

  /** A pull leaves now; returns when that is. */
  long sent() {
    lastSent = clock.nanoTime();
    return lastSent;
  }

  /** How long this worker has been there. */
  long aliveMillis() {
    return (clock.nanoTime() - began) / 1_000_000;
  }

  boolean isIntervalOver(long sentAt) {
    return clock.nanoTime() - sentAt >= interval;
  }

  /** Nothing is sent for a while. */
  void pause() {
    paused = true;
    pausedUntil = clock.nanoTime() + pause;
  }

  /** Nothing is sent for this long, and something then. */
  void askAgainIn(Duration wait) {
    paused = true;
    pausedUntil = clock.nanoTime() + wait.toNanos();
    lastSent = pausedUntil - interval;
  }

  void clearPause() {
    paused = false;
  }

  boolean isPaused() {
    return pauseLeft() > 0;
  }

  /**
   * Nanoseconds until the next beat is due; 0 if it is due now.
   *
   * @param parked whether a pull is parked at the tracker: its answer is due within the interval,
   *     and a beat beside it is only needed if that answer is late
   */
  long untilNextBeat(boolean parked) {
    long due = lastSent + (parked ? 2 * interval : interval);
    return Math.max(0, Math.max(due - clock.nanoTime(), pauseLeft()));
  }

  private long pauseLeft() {
    return paused ? Math.max(0, pausedUntil - clock.nanoTime()) : 0;
  }
}
