package io.millrace.api;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * When a job fires. Exactly one of four shapes; immutable.
 *
 * <p>Instants have millisecond precision: the tracker cuts off smaller units.
 */
public sealed interface Schedule {

  /** Whether the job may fire more than once, and so has its own definition in the store. */
  boolean isRecurring();

  /**
   * The instant before which the job does not fire; null means the moment the tracker accepts the
   * job.
   */
  default @Nullable Instant start() {
    return null;
  }

  /** The instant from which on the job does not fire; null if there is none. */
  default @Nullable Instant end() {
    return null;
  }

  /**
   * Fires once. If both are null, it fires now.
   *
   * @param at the instant to fire at; one that is past fires at once
   * @param after the delay from the moment the tracker accepts the job, by the tracker's clock
   */
  record Once(@Nullable Instant at, @Nullable Duration after) implements Schedule {
    public Once {
      if (at != null && after != null) {
        throw new IllegalArgumentException("a one-shot has either an instant or a delay, not both");
      }
    }

    @Override
    public boolean isRecurring() {
      return false;
    }
  }

  /**
   * Fires at every instant whose local time matches a cron expression.
   *
   * @param expression Quartz (6 or 7 fields), Unix (5 fields) or a nickname such as {@code @daily}
   * @param zone the zone of the expression; null means the tracker's configured default zone
   * @param start the job does not fire before it; null means the moment the tracker accepts the job
   * @param end the job does not fire at or after it; null means without end
   */
  record Cron(
      String expression, @Nullable ZoneId zone, @Nullable Instant start, @Nullable Instant end)
      implements Schedule {
    public Cron {
      Objects.requireNonNull(expression, "expression");
    }

    /** Without bounds. */
    public Cron(String expression, @Nullable ZoneId zone) {
      this(expression, zone, null, null);
    }

    @Override
    public boolean isRecurring() {
      return true;
    }
  }

  /**
   * Fires at a fixed rate, on the grid {@code start + k * interval}: it does not drift.
   *
   * @param interval the distance between two fire times, at least one millisecond
   * @param start the first fire time; null means the moment the tracker accepts the job
   * @param times how often the job fires in all; null means without end
   * @param end the job does not fire at or after it; null means without end
   */
  record Repeat(
      Duration interval, @Nullable Instant start, @Nullable Long times, @Nullable Instant end)
      implements Schedule {
    public Repeat {
      Objects.requireNonNull(interval, "interval");
    }

    /** Without an end other than the count. */
    public Repeat(Duration interval, @Nullable Instant start, @Nullable Long times) {
      this(interval, start, times, null);
    }

    @Override
    public boolean isRecurring() {
      return true;
    }
  }

  /**
   * Fires again a fixed delay after the previous run has ended, including retries; so it has one
   * live trigger at a time.
   *
   * @param delay from the recorded end of one run to the next fire time, at least one millisecond
   * @param start the first fire time; null means the moment the tracker accepts the job
   * @param times how often the job fires in all; null means without end
   * @param end the job does not fire at or after it; null means without end
   */
  record FixedDelay(
      Duration delay, @Nullable Instant start, @Nullable Long times, @Nullable Instant end)
      implements Schedule {
    public FixedDelay {
      Objects.requireNonNull(delay, "delay");
    }

    /** Without an end other than the count. */
    public FixedDelay(Duration delay, @Nullable Instant start, @Nullable Long times) {
      this(delay, start, times, null);
    }

    @Override
    public boolean isRecurring() {
      return true;
    }
  }
}
