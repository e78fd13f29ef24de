package io.millrace.tasktracker.internal.pull;

import io.millrace.internal.time.Clock;
import java.time.Duration;

/**
 * Calculates when the next pull may be sent and when it must be sent. Times are monotonic, in
 * nanoseconds.
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

  /** Records that a pull is sent now, and returns the time. */
  long sent() {
    lastSent = clock.nanoTime();
    return lastSent;
  }

  /** Returns how long this worker has been running, in milliseconds. */
  long aliveMillis() {
    return (clock.nanoTime() - began) / 1_000_000;
  }

  boolean isIntervalOver(long sentAt) {
    return clock.nanoTime() - sentAt >= interval;
  }

  /** Begins the pause after a failure, in which no pull is sent. */
  void pause() {
    paused = true;
    pausedUntil = clock.nanoTime() + pause;
  }

  /** Begins a pause of this length, after which a pull is due. */
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
   * Returns the nanoseconds until the next heartbeat is due; 0 if it is due now.
   *
   * @param parked whether a pull is parked at the tracker: its answer is due within the interval,
   *     and an additional heartbeat is needed only if that answer is late
   */
  long untilNextHeartbeat(boolean parked) {
    long due = lastSent + (parked ? 2 * interval : interval);
    return Math.max(0, Math.max(due - clock.nanoTime(), pauseLeft()));
  }

  private long pauseLeft() {
    return paused ? Math.max(0, pausedUntil - clock.nanoTime()) : 0;
  }
}
