package io.millrace.tasktracker;

import io.millrace.api.Outcome;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result that a {@link JobRunner} returns for its attempt. To have the job retried after a
 * failure, throw an exception instead: {@link #failed} is final. Immutable.
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

  /** Returns a success: the job did its work. */
  public static Result success() {
    return SUCCESS;
  }

  /** Returns a success with a message for the history; null for no message. */
  public static Result success(@Nullable String message) {
    return new Result(Outcome.SUCCESS, message, null);
  }

  /**
   * Returns a final failure: the job is not retried. The message is for the history; null for no
   * message.
   */
  public static Result failed(@Nullable String message) {
    return new Result(Outcome.FAILED, message, null);
  }

  /**
   * Returns a request to run the job again after this delay. The attempt does not count.
   *
   * @throws IllegalArgumentException if the delay is negative
   */
  public static Result later(Duration delay) {
    return later(delay, null);
  }

  /**
   * Returns a request to run the job again after this delay, with a message that says why; null for
   * no message. The attempt does not count.
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

  /** Returns SUCCESS, FAILED or LATER. */
  public Outcome outcome() {
    return outcome;
  }

  /** Returns the message for people, or null. */
  public @Nullable String message() {
    return message;
  }

  /** Returns the delay of a LATER, or null. */
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
