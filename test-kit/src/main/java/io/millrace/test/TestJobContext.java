package io.millrace.test;

import io.millrace.api.KeepException;
import io.millrace.api.ValueMapper;
import io.millrace.api.ValueType;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.JobLogger;
import io.millrace.tasktracker.PartResult;
import io.millrace.tasktracker.Shard;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A {@link JobContext} for a plain unit test of a handler, without a tracker.
 *
 * <pre>{@code
 * TestJobContext context = TestJobContext.builder("orders", "close:42").param("orderId", "42").build();
 * Result result = new CloseOrder(orders).run(context);
 * assertEquals(List.of("INFO closed 42"), context.logged());
 * }</pre>
 *
 * <p>Steps and checkpoints are kept as a worker keeps them, except that their sum has no bound;
 * {@link #nextAttempt} begins with them. Parts that the handler makes are checked and recorded.
 *
 * <p>Thread-safe.
 */
public final class TestJobContext implements JobContext {
  private final Builder given;
  private final Map<String, String> params;
  private final List<String> logged = new CopyOnWriteArrayList<>();
  private final List<String> progress = new CopyOnWriteArrayList<>();
  private final TestSteps steps;
  private final TestParts parts;
  private volatile boolean stopRequested;
  private volatile boolean lost;

  private TestJobContext(Builder given, @Nullable TestSteps before) {
    this.given = given.copy();
    this.params = Collections.unmodifiableMap(new LinkedHashMap<>(given.params));
    this.steps =
        before == null ? TestSteps.none(name(given), given.values) : before.next(name(given));
    this.parts = new TestParts(name(given), given.values);
  }

  private static String name(Builder given) {
    return "attempt %d of %s/%s".formatted(given.attempt, given.nodeGroup, given.taskId);
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
    private ValueMapper values = ValueMapper.standard();
    private Shard shard = Shard.WHOLE;
    private int part;
    private @Nullable List<PartResult> ended;

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
      copy.values = values;
      copy.shard = shard;
      copy.part = part;
      copy.ended = ended == null ? null : List.copyOf(ended);
      return copy;
    }

    /**
     * Sets which part of its run this is, from 0. Default: the only one.
     *
     * @throws IllegalArgumentException unless 0 ≤ index &lt; count
     */
    public Builder shard(int index, int count) {
      this.shard = new Shard(index, count);
      return this;
    }

    /** Sets its number among the parts that a handler has made, from 1. Default: it is none. */
    public Builder part(int number) {
      this.part = number;
      return this;
    }

    /** Makes it a reduce, whose run had these parts; none means a run without any. */
    public Builder parts(PartResult... parts) {
      this.ended = List.of(parts);
      return this;
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

    /** Sets the mapper of the worker. Default: {@link ValueMapper#standard}. */
    public Builder values(ValueMapper mapper) {
      this.values = Objects.requireNonNull(mapper, "mapper");
      return this;
    }

    /** Builds the context. */
    public TestJobContext build() {
      return new TestJobContext(this, null);
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

  /**
   * Returns the context of the attempt after this one, with the next execution id and all that the
   * attempts so far have kept. After the last attempt it is the first one of a replay, which an
   * operator begins.
   */
  public TestJobContext nextAttempt() {
    Builder next = given.copy().params(params).executionId(given.executionId + 1);
    next.attempt = given.attempt == given.maxAttempts ? 1 : given.attempt + 1;
    return new TestJobContext(next, steps);
  }

  /** Returns the names of the steps whose bodies this attempt has run, in order. */
  public List<String> stepsRun() {
    return steps.names();
  }

  /**
   * Returns the parts that the handler has made, over all calls of {@code map}. None of them runs
   * unless the handler then succeeds.
   */
  public List<MappedPart> mapped() {
    return parts.mapped();
  }

  /**
   * Returns what the handler has said of its progress, each time as what is done, the total if it
   * is known, and the message: {@code 3/12 of the files}.
   */
  public List<String> progressMade() {
    return List.copyOf(progress);
  }

  @Override
  public ValueMapper values() {
    return given.values;
  }

  @Override
  public void progress(long done, long total, @Nullable String message) {
    progress.add(done + (total > 0 ? "/" + total : "") + (message == null ? "" : " " + message));
  }

  @Override
  public void checkpoint(Object value) {
    requireHeld();
    steps.checkpoint(value);
  }

  @Override
  @SuppressWarnings("unchecked") // the mapper returns values of the type
  public <T> Optional<T> checkpoint(ValueType<T> type) {
    requireHeld();
    return Optional.ofNullable((T) steps.lastCheckpoint(type.type()));
  }

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // with a type, there is always a value
  public <T> T step(String name, ValueType<T> type, Callable<T> body) throws Exception {
    requireHeld();
    return (T) steps.step(name, type.type(), held(body));
  }

  @Override
  public void step(String name, StepBody body) throws Exception {
    requireHeld();
    Object unused =
        steps.step(
            name,
            null,
            held(
                () -> {
                  body.run();
                  return true;
                }));
  }

  /** Nothing is kept of a body during which the attempt was lost. */
  private <T> Callable<T> held(Callable<T> body) {
    return () -> {
      T value = body.call();
      requireHeld();
      return value;
    };
  }

  private void requireHeld() {
    if (lost) {
      throw new KeepException(this + " was lost", null);
    }
  }

  @Override
  public String stepKey(String name) {
    steps.requireName(name);
    return JobContext.super.stepKey(name);
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
  public Shard shard() {
    return given.shard;
  }

  @Override
  public int part() {
    return given.part;
  }

  @Override
  public void map(Collection<? extends Map<String, ?>> more) {
    requireHeld();
    parts.map(null, more);
  }

  @Override
  public void map(String handler, Collection<? extends Map<String, ?>> more) {
    requireHeld();
    parts.map(Objects.requireNonNull(handler, "handler"), more);
  }

  @Override
  public Iterable<PartResult> parts() {
    return given.ended == null ? JobContext.super.parts() : given.ended;
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
    return name(given);
  }
}
