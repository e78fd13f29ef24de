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
  private static final Result SUCCESS = new Result(Outcome.SUCCESS, null, null, null);

  private final Outcome outcome;
  private final @Nullable String message;
  private final @Nullable Duration delay;
  private final @Nullable Object value;

  private Result(
      Outcome outcome, @Nullable String message, @Nullable Duration delay, @Nullable Object value) {
    this.outcome = outcome;
    this.message = message;
    this.delay = delay;
    this.value = value;
  }

  /** Returns a success: the job did its work. */
  public static Result success() {
    return SUCCESS;
  }

  /**
   * Returns a success with a message for the history; null for no message. A message is text for
   * people; {@link #of} returns a value for programs.
   */
  public static Result success(@Nullable String message) {
    return new Result(Outcome.SUCCESS, message, null, null);
  }

  /**
   * Returns a success with a value: the result of the job, which feedback, history and console
   * show. The worker's mapper writes it as JSON of at most 64 KiB of UTF-8. If it is larger or has
   * no JSON form, the attempt is FAILED and not retried, because the work is done; the message says
   * why.
   */
  public static Result of(Object value) {
    return of(value, null);
  }

  /** Returns a success with a value, see {@link #of(Object)}, and a message for the history. */
  public static Result of(Object value, @Nullable String message) {
    return new Result(Outcome.SUCCESS, message, null, Objects.requireNonNull(value, "value"));
  }

  /**
   * Returns a final failure: the job is not retried. The message is for the history; null for no
   * message.
   */
  public static Result failed(@Nullable String message) {
    return new Result(Outcome.FAILED, message, null, null);
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
    return new Result(Outcome.LATER, message, delay, null);
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

  /** Returns the value of a success, or null. */
  public @Nullable Object value() {
    return value;
  }

  @Override
  public String toString() {
    return outcome
        + (delay == null ? "" : " in " + delay)
        + (message == null ? "" : ": " + message);
  }
}
