package io.millrace.api;

import io.millrace.internal.annotation.DefaultWhenMissing;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A job as a client submits it: a key, a node group, a schedule, parameters and policies.
 * Immutable; made by {@link #builder}. Only the tracker checks whether the values are allowed, so a
 * job that can be built may still be rejected with a typed reason.
 *
 * @param nodeGroup the group of workers that runs the job
 * @param taskId the client's id of the job, unique in its node group while the job is live
 * @param schedule when the job fires
 * @param params parameters passed to the job; at most 1 MiB of UTF-8 in all
 * @param priority 0 to 255, lower runs first
 * @param handler the name of the runner that runs the job; null means the worker's only runner
 * @param retry how often a failed attempt is repeated
 * @param timeout how long one attempt may run before it is interrupted and counts as failed; null
 *     means without limit
 * @param overlap what happens to a trigger that would run while another one of the job runs; null
 *     means {@link OverlapPolicy#defaultOf}
 * @param misfire what happens to missed fire times; null means {@link MisfirePolicy#DEFAULT}
 * @param relyOnPrevCycle whether the next fire time is stored only when the previous run has ended
 * @param replaceExisting whether a live job with the same key is replaced; otherwise the submit is
 *     a duplicate and changes nothing
 * @param feedback whether the submitting client group is notified of each trigger's end
 * @param trace the trace that the job is part of; null means none
 * @param shards how many parts each run is split into; null means that it is not split
 * @param reduce the name of the runner that runs once when all parts of a run have ended; null
 *     means none
 * @param onPartFailure what a failed part means for the others and for the run; null means {@link
 *     PartFailurePolicy#FINISH}
 * @param within how long after its split a run may end, with all its parts; null means without
 *     limit
 * @param requires labels that a worker must have to run it, all of them, sorted; empty means none
 * @param stickTo key of the worker that should run it: the jobs of one key run on one worker, as
 *     long as it has free slots; null means on any
 * @param broadcast whether each run is split into one part for each worker
 * @param onWorkerLost what becomes of the part of a worker that is gone; null means {@link
 *     WorkerLossPolicy#SKIP}
 */
public record Job(
    String nodeGroup,
    String taskId,
    Schedule schedule,
    Map<String, String> params,
    int priority,
    @Nullable String handler,
    RetryPolicy retry,
    @Nullable Duration timeout,
    @Nullable OverlapPolicy overlap,
    @Nullable MisfirePolicy misfire,
    boolean relyOnPrevCycle,
    boolean replaceExisting,
    boolean feedback,
    @Nullable TraceContext trace,
    @Nullable Integer shards,
    @Nullable String reduce,
    @Nullable PartFailurePolicy onPartFailure,
    @Nullable Duration within,
    List<String> requires,
    @Nullable String stickTo,
    boolean broadcast,
    @Nullable WorkerLossPolicy onWorkerLost) {

  /** The default priority; leaves room on both sides. */
  public static final int DEFAULT_PRIORITY = 100;

  /** The defaults of a job of which only the key is set. */
  @DefaultWhenMissing public static final Job DEFAULTS = builder("", "").build();

  /** The highest number of shards. */
  public static final int MAX_SHARDS = 1_000;

  /** The most labels that a job may require and a worker may have. */
  public static final int MAX_LABELS = 16;

  /** Creates a job whose runs are not split and that any worker may run. */
  public Job(
      String nodeGroup,
      String taskId,
      Schedule schedule,
      Map<String, String> params,
      int priority,
      @Nullable String handler,
      RetryPolicy retry,
      @Nullable Duration timeout,
      @Nullable OverlapPolicy overlap,
      @Nullable MisfirePolicy misfire,
      boolean relyOnPrevCycle,
      boolean replaceExisting,
      boolean feedback,
      @Nullable TraceContext trace) {
    this(
        nodeGroup,
        taskId,
        schedule,
        params,
        priority,
        handler,
        retry,
        timeout,
        overlap,
        misfire,
        relyOnPrevCycle,
        replaceExisting,
        feedback,
        trace,
        null,
        null,
        null,
        null,
        List.of(),
        null,
        false,
        null);
  }

  public Job {
    Objects.requireNonNull(schedule, "schedule");
    Objects.requireNonNull(retry, "retry");
    params = Collections.unmodifiableMap(new LinkedHashMap<>(params));
    requires = List.copyOf(new TreeSet<>(requires));
  }

  /** The effective overlap policy: the one that is set, or the default for this job. */
  public OverlapPolicy overlapOrDefault() {
    return overlap == null
        ? OverlapPolicy.defaultOf(isChained(), misfire == null ? MisfirePolicy.DEFAULT : misfire)
        : overlap;
  }

  /**
   * Begins a job that runs once, as soon as a worker is free, unless a schedule is set.
   *
   * @throws NullPointerException naming the parameter that is null
   */
  public static Builder builder(String nodeGroup, String taskId) {
    return new Builder(nodeGroup, taskId);
  }

  /**
   * Whether the job has at most one live trigger at a time, and the transaction that ends a trigger
   * stores the next one.
   */
  public boolean isChained() {
    return schedule instanceof Schedule.FixedDelay || (relyOnPrevCycle && schedule.isRecurring());
  }

  /** Returns this job as part of a trace; null means of none. */
  public Job withTrace(@Nullable TraceContext part) {
    return new Job(
        nodeGroup,
        taskId,
        schedule,
        params,
        priority,
        handler,
        retry,
        timeout,
        overlap,
        misfire,
        relyOnPrevCycle,
        replaceExisting,
        feedback,
        part,
        shards,
        reduce,
        onPartFailure,
        within,
        requires,
        stickTo,
        broadcast,
        onWorkerLost);
  }

  /** Collects the parts of a {@link Job}. Not thread-safe. */
  public static final class Builder {
    private final String nodeGroup;
    private final String taskId;
    private final Map<String, Object> params = new LinkedHashMap<>();
    private ValueMapper values = ValueMapper.standard();
    private @Nullable Instant at;
    private @Nullable Duration after;
    private @Nullable String cron;
    private @Nullable ZoneId zone;
    private @Nullable Duration interval;
    private @Nullable Duration fixedDelay;
    private @Nullable Long times;
    private @Nullable Instant until;
    private int priority = DEFAULT_PRIORITY;
    private @Nullable String handler;
    private RetryPolicy retry = RetryPolicy.DEFAULT;
    private @Nullable Duration timeout;
    private @Nullable OverlapPolicy overlap;
    private @Nullable MisfirePolicy misfire;
    private boolean relyOnPrevCycle;
    private boolean replaceExisting;
    private boolean feedback;
    private @Nullable String traceParent;
    private @Nullable String traceState;
    private @Nullable Integer shards;
    private @Nullable String reduce;
    private @Nullable PartFailurePolicy onPartFailure;
    private @Nullable Duration within;
    private List<String> requires = List.of();
    private @Nullable String stickTo;
    private boolean broadcast;
    private @Nullable WorkerLossPolicy onWorkerLost;

    private Builder(String nodeGroup, String taskId) {
      this.nodeGroup =
          Objects.requireNonNull(
              nodeGroup, "nodeGroup is null: a job must name the node group that runs it");
      this.taskId =
          Objects.requireNonNull(
              taskId, "taskId is null: a job must have an id that is unique in its node group");
    }

    /**
     * Fires once at this instant; with {@link #every} or {@link #fixedDelay}, fires first then;
     * with {@link #cron}, not before then.
     */
    public Builder at(Instant instant) {
      this.at = Objects.requireNonNull(instant, "instant");
      return this;
    }

    /** Fires once, this long after the tracker has accepted the job, by the tracker's clock. */
    public Builder after(Duration delay) {
      this.after = Objects.requireNonNull(delay, "delay");
      return this;
    }

    /** Fires by a cron expression in the tracker's default zone, which is UTC unless configured. */
    public Builder cron(String expression) {
      this.cron = Objects.requireNonNull(expression, "expression");
      return this;
    }

    /** Fires by a cron expression in this zone. */
    public Builder cron(String expression, ZoneId zone) {
      this.zone = Objects.requireNonNull(zone, "zone");
      return cron(expression);
    }

    /** Fires at a fixed rate, without end unless {@link #times} is set. */
    public Builder every(Duration interval) {
      this.interval = Objects.requireNonNull(interval, "interval");
      return this;
    }

    /** Fires again this long after each run has ended, without end unless {@link #times} is set. */
    public Builder fixedDelay(Duration delay) {
      this.fixedDelay = Objects.requireNonNull(delay, "delay");
      return this;
    }

    /**
     * The total number of times a job with {@link #every} or {@link #fixedDelay} fires, at least 1.
     */
    public Builder times(long count) {
      this.times = count;
      return this;
    }

    /** The job does not fire at or after this instant; for recurring jobs only. */
    public Builder until(Instant instant) {
      this.until = Objects.requireNonNull(instant, "instant");
      return this;
    }

    /** Adds a parameter; a later value of the same name wins. */
    public Builder param(String name, String value) {
      params.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
      return this;
    }

    /**
     * Adds a parameter of any type that the {@linkplain #values mapper} takes; a later value of the
     * same name wins. It is stored as JSON, and {@code JobContext.param(name, type)} reads it. A
     * String is stored as it is, without quotes.
     */
    public Builder param(String name, Object value) {
      params.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
      return this;
    }

    /**
     * The mapper of all parameters that are no Strings; {@link ValueMapper#standard} unless set.
     */
    public Builder values(ValueMapper mapper) {
      this.values = Objects.requireNonNull(mapper, "mapper");
      return this;
    }

    /** Adds parameters. */
    public Builder params(Map<String, String> more) {
      more.forEach(this::param);
      return this;
    }

    /** 0 to 255, lower runs first; {@value Job#DEFAULT_PRIORITY} unless set. */
    public Builder priority(int priority) {
      this.priority = priority;
      return this;
    }

    /** The name of the runner that runs the job; the worker's only runner unless set. */
    public Builder handler(String name) {
      this.handler = Objects.requireNonNull(name, "name");
      return this;
    }

    /** The retry policy; {@link RetryPolicy#DEFAULT} unless set. */
    public Builder retry(RetryPolicy policy) {
      this.retry = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /** The default retry policy with this number of retries; 0 means at most once. */
    public Builder retry(int maxRetries) {
      return retry(RetryPolicy.retries(maxRetries));
    }

    /**
     * How long one attempt may run, 1 ms to 365 days; without limit unless set. After that time the
     * worker interrupts the invocation, and the attempt fails regardless of what the invocation
     * returns: another one follows while the retry policy allows it.
     */
    public Builder timeout(Duration timeout) {
      this.timeout = Objects.requireNonNull(timeout, "timeout");
      return this;
    }

    /**
     * Splits each run into this many parts, 1 to {@value #MAX_SHARDS}. Each runs the handler with
     * the job's parameters, on any worker, and its context says which of them it is. The retry
     * policy and the time-out hold for each part. The run ends when all parts have ended; it
     * succeeds if all did, and as a whole it is not repeated. {@code JobContext.map} makes parts
     * with parameters of their own.
     */
    public Builder shards(int parts) {
      this.shards = parts;
      return this;
    }

    /**
     * Splits each run into one part for each worker that is there when the run begins: that pulls,
     * does not drain and has the labels of {@link #on}. Each part runs the handler with the job's
     * parameters on its worker and on no other, its retries too, and its context says which of them
     * it is. A worker that comes later gets none. Not together with {@link #shards} or {@link
     * #stickTo}.
     */
    public Builder broadcast() {
      this.broadcast = true;
      return this;
    }

    /**
     * What becomes of the part of a {@link #broadcast} whose worker is gone; {@link
     * WorkerLossPolicy#SKIP} unless set. Only for a broadcast.
     */
    public Builder onWorkerLost(WorkerLossPolicy policy) {
      this.onWorkerLost = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /**
     * The name of the runner that runs once after all parts of a run, if the run is split: by
     * {@link #shards} or {@link #broadcast}, or because its handler calls {@code JobContext.map}.
     * It gets the job's parameters, and {@code JobContext.parts} with what the parts returned; the
     * result of the run is what it returns. It is repeated by the retry policy. It does not run if
     * a part failed, unless {@link #onPartFailure} says so; then the run ends without it. None
     * unless set.
     */
    public Builder reduce(String handler) {
      this.reduce = Objects.requireNonNull(handler, "handler");
      return this;
    }

    /**
     * What a part that failed, is dead or was cancelled means for the other parts and for the run;
     * {@link PartFailurePolicy#FINISH} unless set.
     */
    public Builder onPartFailure(PartFailurePolicy policy) {
      this.onPartFailure = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /**
     * How long after its split a run may end, with all its parts, their retries and its {@link
     * #reduce}: 1 ms to 365 days; without limit unless set. After that time parts that wait are
     * deleted, those that run are told to stop, and the run ends DEAD.
     */
    public Builder within(Duration time) {
      this.within = Objects.requireNonNull(time, "time");
      return this;
    }

    /**
     * Only workers with all these labels run the job, see {@code TaskTrackerBuilder.labels}: at
     * most {@value #MAX_LABELS}, each of 1 to 64 letters, digits and {@code - _ . : / =}. While
     * there is no such worker, the job waits.
     */
    public Builder on(String... labels) {
      return on(List.of(labels));
    }

    /** As {@link #on(String...)}. */
    public Builder on(Collection<String> labels) {
      this.requires = List.copyOf(labels);
      return this;
    }

    /**
     * Jobs of one key run on the same worker, as long as it is connected and has free slots, so
     * that it finds in its memory or on its disk what the job before left there. If it has had no
     * free slot for 2 s, another one runs the job.
     *
     * @param key 1 to 128 visible characters
     */
    public Builder stickTo(String key) {
      this.stickTo = Objects.requireNonNull(key, "key");
      return this;
    }

    /**
     * What happens to a trigger that would run while another one of the job runs. Unless set, one
     * runs at a time: the later one is skipped, but with {@link MisfirePolicy#all}, or in a job
     * with one trigger at a time, it waits for its turn. {@link OverlapPolicy#allow} lets triggers
     * run concurrently.
     */
    public Builder overlap(OverlapPolicy policy) {
      this.overlap = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /** What happens to missed fire times; {@link MisfirePolicy#DEFAULT} unless set. */
    public Builder misfire(MisfirePolicy policy) {
      this.misfire = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /** Stores the next trigger only when the run of the previous one has ended; off unless set. */
    public Builder relyOnPrevCycle(boolean rely) {
      this.relyOnPrevCycle = rely;
      return this;
    }

    /** Replaces a live job with the same key instead of answering DUPLICATE; off unless set. */
    public Builder replaceExisting(boolean replace) {
      this.replaceExisting = replace;
      return this;
    }

    /**
     * Notifies the submitting client group of the end of each trigger; off unless set. A client
     * that submits a job with feedback needs a client group.
     */
    public Builder feedback(boolean wanted) {
      this.feedback = wanted;
      return this;
    }

    /**
     * The trace that the job is part of, in the form of the first header of W3C Trace Context; null
     * for none. Every run receives it unchanged: in {@code JobContext.traceParent}, the MDC, and
     * the ledger. The application's own tracer starts the spans of a run.
     */
    public Builder traceParent(@Nullable String traceParent) {
      this.traceParent = traceParent;
      return this;
    }

    /**
     * Vendor-specific trace data, in the form of the second header of W3C Trace Context, at most
     * 512 characters; null for none. Ignored without {@link #traceParent}.
     */
    public Builder traceState(@Nullable String traceState) {
      this.traceState = traceState;
      return this;
    }

    /**
     * Builds the job.
     *
     * @throws IllegalStateException if the schedule is contradictory: two kinds at once, a count
     *     with neither {@link #every} nor {@link #fixedDelay}, {@link #after} with anything else,
     *     {@link #until} on a job that fires once
     * @throws ValueException if a parameter has no JSON form; the message names the job, the
     *     parameter and the reason
     */
    public Job build() {
      return new Job(
          nodeGroup,
          taskId,
          schedule(),
          storedParams(),
          priority,
          handler,
          retry,
          timeout,
          overlap,
          misfire,
          relyOnPrevCycle,
          replaceExisting,
          feedback,
          traceParent == null ? null : new TraceContext(traceParent, traceState),
          shards,
          reduce,
          onPartFailure,
          within,
          requires,
          stickTo,
          broadcast,
          onWorkerLost);
    }

    private Map<String, String> storedParams() {
      Map<String, String> stored = new LinkedHashMap<>();
      params.forEach(
          (name, value) ->
              stored.put(name, value instanceof String text ? text : json(name, value)));
      return stored;
    }

    private String json(String name, Object value) {
      try {
        return Objects.requireNonNull(values.toJson(value), "the mapper returned null");
      } catch (RuntimeException e) {
        throw new ValueException(
            "job %s/%s: parameter %s: %s".formatted(nodeGroup, taskId, name, e.getMessage()), e);
      }
    }

    private Schedule schedule() {
      int kinds =
          (cron == null ? 0 : 1) + (interval == null ? 0 : 1) + (fixedDelay == null ? 0 : 1);
      require(kinds <= 1, "allows only one of cron, every and fixedDelay");
      require(
          times == null || interval != null || fixedDelay != null,
          "has times, which is allowed only with every or fixedDelay");
      require(at == null || after == null, "allows only one of at and after");
      require(after == null || kinds == 0, "has after, which is allowed only for a one-shot");
      require(until == null || kinds > 0, "has until, which is not allowed for a one-shot");
      if (cron != null) {
        return new Schedule.Cron(cron, zone, at, until);
      }
      if (interval != null) {
        return new Schedule.Repeat(interval, at, times, until);
      }
      if (fixedDelay != null) {
        return new Schedule.FixedDelay(fixedDelay, at, times, until);
      }
      return new Schedule.Once(at, after);
    }

    private void require(boolean holds, String what) {
      if (!holds) {
        throw new IllegalStateException("job " + nodeGroup + "/" + taskId + " " + what);
      }
    }
  }
}
