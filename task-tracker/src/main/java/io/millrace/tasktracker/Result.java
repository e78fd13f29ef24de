package io.millrace.tasktracker;

import io.millrace.common.model.Outcome;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link JobRunner} says of its own attempt. Immutable. To have an attempt retried, throw:
 * {@link #failed} is final.
 */
public final class Result {
  private static final Result SUCCESS = new Result(Outcome.SUCCESS, null, null);

  private final Outcome outcome;
  private final @Nullable String message;
  private final @Nullable Duration delay;

  private Result(Outcome outcome, @Nullable String message, @Nullable Duration delay) {
    this.outcome = outcome;
    this.message = message;
    this.delay = delay;
  }

  /** The job did its work. */
  public static Result success() {
    return SUCCESS;
  }

  /** The job did its work, with a message for whoever reads the history. */
  public static Result success(@Nullable String message) {
    return new Result(Outcome.SUCCESS, message, null);
  }

  /** The job failed for good; no attempt follows. */
  public static Result failed(@Nullable String message) {
    return new Result(Outcome.FAILED, message, null);
  }

  /** The job asks to run again after this delay; the attempt does not count. */
  public static Result later(Duration delay) {
    return later(delay, null);
  }

  /**
   * The job asks to run again after this delay, and says why; the attempt does not count.
   *
   * @throws IllegalArgumentException if the delay is negative
   */
  public static Result later(Duration delay, @Nullable String message) {
    Objects.requireNonNull(delay, "delay");
    if (delay.isNegative()) {
      throw new IllegalArgumentException("delay must not be negative: " + delay);
    }
    return new Result(Outcome.LATER, message, delay);
  }

  /** SUCCESS, FAILED or LATER. */
  public Outcome outcome() {
    return outcome;
  }

  /** The message for a person, if there is one. */
  public @Nullable String message() {
    return message;
  }

  /** With LATER, how long to wait. */
  public @Nullable Duration delay() {
    return delay;
  }

  @Override
  public String toString() {
    return outcome
        + (delay == null ? "" : " in " + delay)
        + (message == null ? "" : ": " + message);
  }
}
