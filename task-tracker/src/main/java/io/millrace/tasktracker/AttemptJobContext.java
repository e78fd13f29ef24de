package io.millrace.tasktracker;

import io.millrace.api.TraceContext;
import io.millrace.api.ValueMapper;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.model.LogLevel;
import io.millrace.tasktracker.internal.execute.AttemptContext;
import io.millrace.tasktracker.internal.joblog.ExecutionLog;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The context that the invocation of one attempt receives. Thread-safe. */
final class AttemptJobContext implements JobContext {
  private final AttemptContext attempt;
  private final Assignment assignment;
  private final JobLogger logger;
  private final ValueMapper values;

  AttemptJobContext(AttemptContext attempt, ExecutionLog log, ValueMapper values) {
    this.attempt = attempt;
    this.assignment = attempt.assignment();
    this.logger = new Logger(log);
    this.values = values;
  }

  @Override
  public String nodeGroup() {
    return assignment.nodeGroup();
  }

  @Override
  public String taskId() {
    return assignment.taskId();
  }

  @Override
  public long executionId() {
    return assignment.executionId();
  }

  @Override
  public int attempt() {
    return assignment.attempt();
  }

  @Override
  public int maxAttempts() {
    return assignment.maxAttempts();
  }

  @Override
  public Instant plannedFor() {
    return assignment.plannedFor();
  }

  @Override
  public Instant dueAt() {
    return assignment.dueAt();
  }

  @Override
  public Map<String, String> params() {
    return assignment.params();
  }

  @Override
  public ValueMapper values() {
    return values;
  }

  @Override
  public @Nullable String traceParent() {
    TraceContext trace = assignment.trace();
    return trace == null ? null : trace.traceParent();
  }

  @Override
  public @Nullable String traceState() {
    TraceContext trace = assignment.trace();
    return trace == null ? null : trace.traceState();
  }

  @Override
  public JobLogger logger() {
    return logger;
  }

  @Override
  public boolean isStopRequested() {
    return attempt.isStopRequested();
  }

  @Override
  public boolean isLost() {
    return attempt.isLost();
  }

  @Override
  public String toString() {
    return attempt.toString();
  }

  private record Logger(ExecutionLog log) implements JobLogger {

    @Override
    public void debug(String message, @Nullable Object... arguments) {
      log.write(LogLevel.DEBUG, message, arguments);
    }

    @Override
    public void info(String message, @Nullable Object... arguments) {
      log.write(LogLevel.INFO, message, arguments);
    }

    @Override
    public void warn(String message, @Nullable Object... arguments) {
      log.write(LogLevel.WARN, message, arguments);
    }

    @Override
    public void error(String message, @Nullable Object... arguments) {
      log.write(LogLevel.ERROR, message, arguments);
    }
  }
}
