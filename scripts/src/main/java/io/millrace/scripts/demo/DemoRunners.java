package io.millrace.scripts.demo;

import io.millrace.scripts.option.convert.DurationText;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.JobRunner;
import io.millrace.tasktracker.Result;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The handlers of the demo worker. Thread-safe: each may run many executions at once. */
public final class DemoRunners {
  private static final Duration DEFAULT_SLEEP = Duration.ofSeconds(1);
  private static final Duration SHORTEST_STEP = Duration.ofSeconds(1);

  /** The maximum number of log lines of one sleep. */
  private static final int MOST_STEPS = 60;

  private DemoRunners() {}

  /** Returns the handlers by name. */
  public static Map<String, JobRunner> byName() {
    return Map.of(
        "echo", DemoRunners::echo, "sleep", DemoRunners::sleep, "fail", DemoRunners::fail);
  }

  /** Succeeds and returns its parameters as message. */
  static Result echo(JobContext context) {
    String params = new TreeMap<>(context.params()).toString();
    context.logger().info("echo {}", params);
    return Result.success(params);
  }

  /**
   * Sleeps for the duration in the parameter {@code for}, one second by default, and logs its
   * progress from time to time.
   */
  static Result sleep(JobContext context) throws InterruptedException {
    String text = context.param("for");
    Duration length = text == null ? DEFAULT_SLEEP : duration(text);
    context.logger().info("sleeping for {}", length);
    Duration step = length.dividedBy(MOST_STEPS);
    step = step.compareTo(SHORTEST_STEP) < 0 ? SHORTEST_STEP : step;
    Duration left = length;
    while (left.compareTo(step) > 0) {
      TimeUnit.NANOSECONDS.sleep(step.toNanos());
      left = left.minus(step);
      context.logger().info("{} of {} s", length.minus(left).toSeconds(), length.toSeconds());
    }
    TimeUnit.NANOSECONDS.sleep(left.toNanos());
    return Result.success("slept for " + length.toMillis() + " ms");
  }

  /**
   * Throws in each of the first {@code times} attempts, or in every attempt without that parameter;
   * the parameter {@code message} sets the message.
   */
  static Result fail(JobContext context) {
    int failures = failures(context.param("times"));
    if (context.attempt() <= failures) {
      context.logger().warn("failing attempt {} on purpose", context.attempt());
      String message = context.param("message");
      throw new DemoFailureException(
          message == null ? "attempt " + context.attempt() + " fails on purpose" : message);
    }
    return Result.success("attempt " + context.attempt() + " succeeds");
  }

  private static Duration duration(String text) {
    try {
      return DurationText.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("parameter for: " + e.getMessage(), e);
    }
  }

  private static int failures(@Nullable String text) {
    try {
      return text == null ? Integer.MAX_VALUE : Integer.parseInt(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("parameter times: '" + text + "' is not a number", e);
    }
  }

  /** The exception that {@code fail} throws. */
  public static final class DemoFailureException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DemoFailureException(String message) {
      super(message);
    }
  }
}
