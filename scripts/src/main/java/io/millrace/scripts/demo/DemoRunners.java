package io.millrace.scripts.demo;

import io.millrace.scripts.option.DurationConverter;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.JobRunner;
import io.millrace.tasktracker.Result;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/** The handlers of the demo worker. All of them may run many executions at once. */
public final class DemoRunners {
  private static final Duration DEFAULT_SLEEP = Duration.ofSeconds(1);

  private DemoRunners() {}

  /** The handlers by name. */
  public static Map<String, JobRunner> byName() {
    return Map.of(
        "echo", DemoRunners::echo, "sleep", DemoRunners::sleep, "fail", DemoRunners::fail);
  }

  /** Succeeds and says its parameters. */
  static Result echo(JobContext context) {
    String params = new TreeMap<>(context.params()).toString();
    context.logger().info("echo {}", params);
    return Result.success(params);
  }

  /** Takes as long as the parameter {@code for} says; one second without it. */
  static Result sleep(JobContext context) throws InterruptedException {
    String text = context.param("for");
    Duration length = text == null ? DEFAULT_SLEEP : duration(text);
    context.logger().info("sleeping for {}", length);
    TimeUnit.NANOSECONDS.sleep(length.toNanos());
    return Result.success("slept for " + length.toMillis() + " ms");
  }

  /**
   * Throws in each of the first {@code times} attempts, and in every one without that parameter.
   */
  static Result fail(JobContext context) {
    int failures = failures(context.param("times"));
    if (context.attempt() <= failures) {
      context.logger().warn("failing attempt {} on purpose", context.attempt());
      throw new DemoFailureException("attempt " + context.attempt() + " fails on purpose");
    }
    return Result.success("attempt " + context.attempt() + " succeeds");
  }

  private static Duration duration(String text) {
    try {
      return new DurationConverter().convert(text);
    } catch (TypeConversionException e) {
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

  /** What {@code fail} throws. */
  public static final class DemoFailureException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DemoFailureException(String message) {
      super(message);
    }
  }
}
