package io.millrace.tasktracker.execute;

import io.millrace.common.model.Assignment;
import io.millrace.common.model.TraceContext;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.JobLogger;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The context that the invocation of one attempt receives. Thread-safe. */
final class AttemptContext implements JobContext {
  private final Assignment assignment;
  private final JobLogger logger;
  private volatile boolean stopRequested;
  private volatile boolean lost;

  AttemptContext(Assignment assignment, JobLogger logger) {
    this.assignment = assignment;
    this.logger = logger;
  }

  void requestStop() {
    stopRequested = true;
  }

  void lose() {
    lost = true;
    stopRequested = true;
  }

  @Nullable Duration timeout() {
    return assignment.timeout();
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
  public @Nullable String traceParent() {
    TraceContext trace = assignment.trace();
    return trace == null ? null : trace.traceParent();
  }

  @Override
  public @Nullable String traceState() {
    TraceContext trace = assignment.trace();
    return trace == null ? null : trace.traceState();
  }

  /** Returns the trace to which the job belongs, or null. */
  @Nullable TraceContext trace() {
    return assignment.trace();
  }

  @Override
  public JobLogger logger() {
    return logger;
  }

  @Override
  public boolean isStopRequested() {
    return stopRequested;
  }

  @Override
  public boolean isLost() {
    return lost;
  }

  @Override
  public String toString() {
    return "execution " + executionId() + " of " + nodeGroup() + "/" + taskId();
  }
}
