package io.millrace.tasktracker;

import io.millrace.api.Disposition;
import io.millrace.api.KeepException;
import io.millrace.api.TraceContext;
import io.millrace.api.ValueMapper;
import io.millrace.api.ValueType;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.model.LogLevel;
import io.millrace.tasktracker.internal.execute.AttemptContext;
import io.millrace.tasktracker.internal.joblog.ExecutionLog;
import io.millrace.tasktracker.internal.keep.KeptRun;
import io.millrace.tasktracker.internal.keep.KeptRuns;
import io.millrace.tasktracker.internal.keep.RunParts;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The context that the invocation of one attempt receives. Thread-safe. */
final class AttemptJobContext implements JobContext {
  private final AttemptContext attempt;
  private final Assignment assignment;
  private final JobLogger logger;
  private final KeptRuns keptRuns;
  private final ValueMapper values;
  private @Nullable KeptRun kept;
  private @Nullable RunParts parts;
  private boolean closed;

  AttemptJobContext(
      AttemptContext attempt, ExecutionLog log, KeptRuns keptRuns, ValueMapper values) {
    this.attempt = attempt;
    this.assignment = attempt.assignment();
    this.logger = new Logger(log);
    this.keptRuns = keptRuns;
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
  public Shard shard() {
    Integer index = assignment.shard();
    Integer count = assignment.shards();
    return index == null || count == null ? Shard.WHOLE : new Shard(index, count);
  }

  @Override
  public int part() {
    Integer number = assignment.part();
    return number == null ? 0 : number;
  }

  @Override
  public void map(Collection<? extends Map<String, ?>> parts) {
    runParts().map(null, parts);
  }

  @Override
  public void map(String handler, Collection<? extends Map<String, ?>> parts) {
    runParts().map(Objects.requireNonNull(handler, "handler"), parts);
  }

  @Override
  public Iterable<PartResult> parts() {
    if (!Boolean.TRUE.equals(assignment.reduces())) {
      throw new IllegalStateException(
          attempt + " does not run after parts: only the handler that a job names as reduce does");
    }
    return this::results;
  }

  private Iterator<PartResult> results() {
    Iterator<io.millrace.internal.protocol.PartResult> told = runParts().results();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return told.hasNext();
      }

      @Override
      public PartResult next() {
        return result(told.next());
      }
    };
  }

  private PartResult result(io.millrace.internal.protocol.PartResult told) {
    Disposition disposition =
        switch (told.outcome()) {
          case SUCCEEDED -> Disposition.SUCCEEDED;
          case FAILED -> Disposition.FAILED;
          case DEAD -> Disposition.DEAD;
          case CANCELLED -> Disposition.CANCELLED;
          case SKIPPED -> Disposition.SKIPPED;
          case UNKNOWN -> Disposition.UNKNOWN;
        };
    Map<String, String> params = told.params();
    return new PartResult(
        told.number(), disposition, told.result(), params == null ? Map.of() : params, values);
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
  public void progress(long done, long total, @Nullable String message) {
    kept().progress(done, total, message);
  }

  @Override
  public void checkpoint(Object value) {
    kept().checkpoint(value);
  }

  @Override
  @SuppressWarnings("unchecked") // the mapper returns values of the type
  public <T> Optional<T> checkpoint(ValueType<T> type) {
    return (Optional<T>) kept().checkpoint(type.type());
  }

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // with a type, there is always a value
  public <T> T step(String name, ValueType<T> type, Callable<T> body) throws Exception {
    return (T) kept().step(name, type.type(), body);
  }

  @Override
  public void step(String name, StepBody body) throws Exception {
    Object unused =
        kept()
            .step(
                name,
                null,
                () -> {
                  body.run();
                  return true;
                });
  }

  @Override
  public String stepKey(String name) {
    return kept().stepKey(name);
  }

  /** Opens what the attempt keeps on the first use, so that a job without steps pays nothing. */
  private synchronized KeptRun kept() {
    requireOpen();
    if (kept == null) {
      kept = keptRuns.open(attempt);
    }
    return kept;
  }

  private synchronized RunParts runParts() {
    requireOpen();
    if (parts == null) {
      parts = keptRuns.openParts(attempt);
    }
    return parts;
  }

  private void requireOpen() {
    if (closed) {
      throw new KeepException(attempt + " has ended: nothing is kept any more", null);
    }
  }

  /** Throws what a call of {@link #map} has thrown, if any: the attempt must not succeed then. */
  void requireAllParts() {
    RunParts opened;
    synchronized (this) {
      opened = parts;
    }
    if (opened != null) {
      opened.requireComplete();
    }
  }

  /**
   * Ends what the attempt keeps.
   *
   * @param comesBack whether a later attempt may need the last checkpoint
   */
  void close(boolean comesBack) {
    KeptRun opened;
    RunParts split;
    synchronized (this) {
      closed = true;
      opened = kept;
      split = parts;
    }
    if (split != null) {
      split.close();
    }
    if (opened != null) {
      opened.close(comesBack);
    }
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
