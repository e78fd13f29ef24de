package io.millrace.test;

import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.JobLogger;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.helpers.MessageFormatter;

/**
 * A {@link JobContext} for a plain unit test of a handler, without a tracker.
 *
 * <pre>{@code
 * TestJobContext context = TestJobContext.builder("orders", "close:42").param("orderId", "42").build();
 * Result result = new CloseOrder(orders).run(context);
 * assertEquals(List.of("INFO closed 42"), context.logged());
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class TestJobContext implements JobContext {
  private final Builder given;
  private final Map<String, String> params;
  private final List<String> logged = new CopyOnWriteArrayList<>();
  private volatile boolean stopRequested;
  private volatile boolean lost;

  private TestJobContext(Builder given) {
    this.given = given.copy();
    this.params = Collections.unmodifiableMap(new LinkedHashMap<>(given.params));
  }

  /** Begins a context; unless set, it is the first of four attempts, without parameters. */
  public static Builder builder(String nodeGroup, String taskId) {
    return new Builder(nodeGroup, taskId);
  }

  /** Collects what a {@link TestJobContext} returns. Not thread-safe. */
  public static final class Builder {
    private final String nodeGroup;
    private final String taskId;
    private final Map<String, String> params = new LinkedHashMap<>();
    private long executionId = 1;
    private int attempt = 1;
    private int maxAttempts = 4;
    private Instant plannedFor = TestMillrace.DEFAULT_START;
    private @Nullable Instant dueAt;
    private @Nullable String traceParent;
    private @Nullable String traceState;

    private Builder(String nodeGroup, String taskId) {
      this.nodeGroup = Objects.requireNonNull(nodeGroup, "nodeGroup");
      this.taskId = Objects.requireNonNull(taskId, "taskId");
    }

    private Builder copy() {
      Builder copy = new Builder(nodeGroup, taskId);
      copy.executionId = executionId;
      copy.attempt = attempt;
      copy.maxAttempts = maxAttempts;
      copy.plannedFor = plannedFor;
      copy.dueAt = dueAt;
      copy.traceParent = traceParent;
      copy.traceState = traceState;
      return copy;
    }

    /** Adds a parameter. */
    public Builder param(String name, String value) {
      params.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
      return this;
    }

    /** Adds parameters. */
    public Builder params(Map<String, String> more) {
      more.forEach(this::param);
      return this;
    }

    /** Sets the fencing token. Default: 1. */
    public Builder executionId(long id) {
      this.executionId = id;
      return this;
    }

    /**
     * Sets which attempt this is, and how many there are.
     *
     * @throws IllegalArgumentException unless 1 ≤ attempt ≤ maxAttempts
     */
    public Builder attempt(int number, int of) {
      if (number < 1 || number > of) {
        throw new IllegalArgumentException("attempt " + number + " of " + of);
      }
      this.attempt = number;
      this.maxAttempts = of;
      return this;
    }

    /** Sets the planned instant. Default: {@link TestMillrace#DEFAULT_START}. */
    public Builder plannedFor(Instant instant) {
      this.plannedFor = Objects.requireNonNull(instant, "instant");
      return this;
    }

    /** Sets the earliest start of this attempt. Default: the planned instant. */
    public Builder dueAt(Instant instant) {
      this.dueAt = Objects.requireNonNull(instant, "instant");
      return this;
    }

    /** Sets the trace of the submit. Default: none. */
    public Builder trace(String parent, @Nullable String state) {
      this.traceParent = Objects.requireNonNull(parent, "parent");
      this.traceState = state;
      return this;
    }

    /** Builds the context. */
    public TestJobContext build() {
      return new TestJobContext(this);
    }
  }

  /** Asks the handler to stop, as after a cancel. */
  public void requestStop() {
    stopRequested = true;
  }

  /** Takes the attempt away from the handler, as when the lease is lost. */
  public void lose() {
    lost = true;
    stopRequested = true;
  }

  /**
   * Returns the lines that the handler has logged, each as its level, a space and the message; a
   * throwable as the last argument is added as its {@code toString()}.
   */
  public List<String> logged() {
    return List.copyOf(logged);
  }

  @Override
  public String nodeGroup() {
    return given.nodeGroup;
  }

  @Override
  public String taskId() {
    return given.taskId;
  }

  @Override
  public long executionId() {
    return given.executionId;
  }

  @Override
  public int attempt() {
    return given.attempt;
  }

  @Override
  public int maxAttempts() {
    return given.maxAttempts;
  }

  @Override
  public Instant plannedFor() {
    return given.plannedFor;
  }

  @Override
  public Instant dueAt() {
    return given.dueAt == null ? given.plannedFor : given.dueAt;
  }

  @Override
  public Map<String, String> params() {
    return params;
  }

  @Override
  public @Nullable String traceParent() {
    return given.traceParent;
  }

  @Override
  public @Nullable String traceState() {
    return given.traceState;
  }

  @Override
  public JobLogger logger() {
    return new RecordingLogger(logged);
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
    return "attempt %d of %s/%s".formatted(attempt(), nodeGroup(), taskId());
  }

  private record RecordingLogger(List<String> lines) implements JobLogger {

    @Override
    public void debug(String message, @Nullable Object... arguments) {
      write("DEBUG", message, arguments);
    }

    @Override
    public void info(String message, @Nullable Object... arguments) {
      write("INFO", message, arguments);
    }

    @Override
    public void warn(String message, @Nullable Object... arguments) {
      write("WARN", message, arguments);
    }

    @Override
    public void error(String message, @Nullable Object... arguments) {
      write("ERROR", message, arguments);
    }

    private void write(String level, String message, @Nullable Object[] arguments) {
      var formatted = MessageFormatter.arrayFormat(message, arguments);
      Throwable thrown = formatted.getThrowable();
      lines.add(level + " " + formatted.getMessage() + (thrown == null ? "" : ": " + thrown));
    }
  }
}
