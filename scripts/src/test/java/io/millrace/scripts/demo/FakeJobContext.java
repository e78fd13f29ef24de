package io.millrace.scripts.demo;

import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.JobLogger;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An attempt of orders/close:42, of four at most, due a second after it was planned. */
record FakeJobContext(Map<String, String> params, int attempt) implements JobContext {
  static final Instant PLANNED = Instant.parse("2030-01-31T08:00:00Z");

  @Override
  public String nodeGroup() {
    return "orders";
  }

  @Override
  public String taskId() {
    return "close:42";
  }

  @Override
  public long executionId() {
    return 7;
  }

  @Override
  public int maxAttempts() {
    return 4;
  }

  @Override
  public Instant plannedFor() {
    return PLANNED;
  }

  @Override
  public Instant dueAt() {
    return PLANNED.plusSeconds(1);
  }

  @Override
  public JobLogger logger() {
    return new SilentLogger();
  }

  @Override
  public boolean isLost() {
    return false;
  }

  @Override
  public boolean isStopRequested() {
    return false;
  }

  private static final class SilentLogger implements JobLogger {
    @Override
    public void debug(String message, @Nullable Object... arguments) {}

    @Override
    public void info(String message, @Nullable Object... arguments) {}

    @Override
    public void warn(String message, @Nullable Object... arguments) {}

    @Override
    public void error(String message, @Nullable Object... arguments) {}
  }
}
