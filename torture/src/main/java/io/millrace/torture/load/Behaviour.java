package io.millrace.torture.load;

import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import java.time.Duration;
import java.util.Objects;

/**
 * The behaviours of job invocations. A behaviour is stateless, because any worker may run the next
 * attempt.
 */
public enum Behaviour {
  /** Succeeds immediately. */
  SUCCEED,
  /** Takes up to 1.5 s, depending on the instant. */
  WORK,
  /** Takes longer than a worker's lease. */
  WORK_LONG,
  /** Throws in the first attempt. */
  THROW_ONCE,
  /** Throws in every attempt. */
  THROW_ALWAYS,
  /** Runs a step, works for a while, makes a checkpoint, and throws in the first attempt. */
  CHARGE_ONCE,
  /** Runs a step, works for a while, makes a checkpoint, and throws in every attempt. */
  CHARGE_AND_DIE,
  /** Asks once to run later. */
  LATER_ONCE,
  /** Reports a failure. */
  FAIL;

  /** The delay that {@link #LATER_ONCE} requests. */
  public static final Duration LATER_BY = Duration.ofMillis(700);

  private static final long LONGEST_WORK_MILLIS = 1_500;
  private static final Duration LONG_WORK = Duration.ofSeconds(8);

  /** Returns whether an invocation runs a step, works and makes a checkpoint first. */
  public boolean charges() {
    return this == CHARGE_ONCE || this == CHARGE_AND_DIE;
  }

  /** Executes the behaviour. */
  Result run(JobContext context) throws InterruptedException {
    return switch (this) {
      case SUCCEED -> Result.success();
      case WORK -> work(context);
      case WORK_LONG -> work(LONG_WORK);
      case CHARGE_ONCE, THROW_ONCE -> context.attempt() == 1 ? fail(context) : Result.success();
      case CHARGE_AND_DIE, THROW_ALWAYS -> fail(context);
      case LATER_ONCE ->
          context.dueAt().equals(context.plannedFor()) ? Result.later(LATER_BY) : Result.success();
      case FAIL -> Result.failed("as planned");
    };
  }

  /** Works for a time that depends on the instant. */
  static Result work(JobContext context) throws InterruptedException {
    return work(workOf(context));
  }

  private static Result work(Duration time) throws InterruptedException {
    Thread.sleep(time.toMillis());
    return Result.success();
  }

  private static Duration workOf(JobContext context) {
    int mixed = Objects.hash(context.taskId(), context.plannedFor()) * 0x9E3779B9;
    return Duration.ofMillis(Integer.toUnsignedLong(mixed) % LONGEST_WORK_MILLIS);
  }

  private static Result fail(JobContext context) {
    throw new IllegalStateException("attempt " + context.attempt() + " throws, as planned");
  }
}
