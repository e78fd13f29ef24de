package io.millrace.tasktracker;

import io.millrace.api.ParameterException;
import io.millrace.api.ValueMapper;
import io.millrace.api.ValueType;
import io.millrace.tasktracker.internal.keep.StepKeys;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Describes the attempt that a {@link JobRunner} runs. Thread-safe. */
public interface JobContext {

  /** Returns the node group of the job. */
  String nodeGroup();

  /** Returns the task id, which the client chose for the job. */
  String taskId();

  /**
   * Returns the id of this attempt. It rises from each attempt of a trigger to the next and can
   * serve as a fencing token: a store that records the highest id it has received can reject the
   * writes of an earlier, lost attempt.
   */
  long executionId();

  /** Returns the number of this attempt, from 1. */
  int attempt();

  /** Returns how many attempts the retry policy allows in total. */
  int maxAttempts();

  /**
   * Returns the instant that the schedule planned. It is the same for all attempts of a trigger.
   */
  Instant plannedFor();

  /** Returns the earliest instant at which this attempt could start. */
  Instant dueAt();

  /**
   * Returns which shard of the run this is, if the job asked for {@code shards}; of a {@code
   * broadcast}, which of the parts for one worker each.
   */
  default Shard shard() {
    return Shard.WHOLE;
  }

  /**
   * Splits the run into parts, each with parameters of its own: a job of many pieces of work makes
   * a part of each, and any worker of the node group runs them. They are stored when this method
   * returns, but none runs before this attempt has succeeded; if it does not succeed, or is lost,
   * none ever runs, and the next attempt makes its own. With the success the run is split: it ends
   * when all parts have ended, and then, if the job names one, its {@code reduce} runs and may read
   * what they returned.
   *
   * <pre>{@code
   * public Result run(JobContext context) {
   *   for (List<Long> ids : orders.openIdsInPagesOf(1_000)) {
   *     context.map("close-order", ids.stream().map(id -> Map.of("orderId", id)).toList());
   *   }
   *   return Result.success();
   * }
   * }</pre>
   *
   * <p>It may be called any number of times; parts are numbered from 1 over all calls. An empty
   * collection is allowed: a run of no parts goes on to its reduce at once. Each call sends at
   * least one request to a tracker for up to 1,000 parts or 1 MiB of parameters, and repeats it
   * until it is answered or the attempt is lost; so give many parts to one call, and a million to
   * calls of some thousand each, which bounds the memory. Below one run, 1,000,000 parts are
   * allowed, and 1 GiB of parameters and results. A part may split too, up to 8 levels deep.
   *
   * <p>If a call throws, the attempt does not succeed any more, even if the handler catches it.
   *
   * @param parts the parameters of each part; as of a job, a String is stored as it is and other
   *     values as JSON, which {@link #param(String, Class)} of the part reads
   * @throws io.millrace.api.NotRetryableException if a parameter has no JSON form or is not
   *     allowed, or if there are too many parts, too many bytes or too many levels
   * @throws io.millrace.api.KeepException if the parts could not be stored, because the attempt is
   *     lost or the thread is interrupted, or a tracker is too old; the retry policy decides
   */
  default void map(Collection<? extends Map<String, ?>> parts) {
    throw new UnsupportedOperationException("this context makes no parts");
  }

  /**
   * As {@link #map(Collection)}, with parts that the handler of this name runs, in place of the one
   * of this run.
   */
  default void map(String handler, Collection<? extends Map<String, ?>> parts) {
    throw new UnsupportedOperationException("this context makes no parts");
  }

  /**
   * Returns the number of this part, from 1, if a handler has made it by {@link #map}; otherwise 0.
   */
  default int part() {
    return 0;
  }

  /**
   * Returns how the parts of the run ended, in the order of their numbers: for the handler that the
   * job names as {@code reduce}. They are read from a tracker page by page while the loop goes on,
   * so any number of them fits into memory; each loop begins anew. Parts that did not succeed are
   * among them only with {@code PartFailurePolicy.IGNORE}, because otherwise there is no reduce.
   *
   * <pre>{@code
   * long cents = 0;
   * for (PartResult part : context.parts()) {
   *   cents += part.result(Long.class).orElse(0L);
   * }
   * return Result.of(cents);
   * }</pre>
   *
   * @throws IllegalStateException if this attempt is not one of a reduce
   * @throws io.millrace.api.KeepException from the loop, as {@link #checkpoint(ValueType)}
   */
  default Iterable<PartResult> parts() {
    throw new IllegalStateException("this context has no parts");
  }

  /** Returns the job's parameters; the map cannot be modified. */
  Map<String, String> params();

  /** Returns the parameter of this name, or null. */
  default @Nullable String param(String name) {
    return params().get(name);
  }

  /**
   * Returns the parameter of this name as a value. Text that is no JSON, such as {@code RED} or
   * {@code 2026-11-23}, is read as text, so that parameters from a command line fit enums and
   * dates; a {@code String} is returned as it is stored.
   *
   * @throws ParameterException if the parameter is missing or does not fit the type; unless it is
   *     caught, the trigger ends DEAD without a retry
   */
  default <T> T param(String name, Class<T> type) {
    return ParameterReader.require(this, name, ValueType.of(type));
  }

  /**
   * Returns the parameter of this name as a value of a type that a class cannot express, such as a
   * list: {@code context.param("lines", new ValueType<List<Line>>() {})}.
   *
   * @throws ParameterException as {@link #param(String, Class)}
   */
  default <T> T param(String name, ValueType<T> type) {
    return ParameterReader.require(this, name, type);
  }

  /**
   * Returns the parameter of this name as a value, or empty if the job does not have it.
   *
   * @throws ParameterException if it does not fit the type
   */
  default <T> Optional<T> optionalParam(String name, Class<T> type) {
    return ParameterReader.find(this, name, ValueType.of(type));
  }

  /**
   * Returns the parameter of this name as a value, or empty if the job does not have it.
   *
   * @throws ParameterException if it does not fit the type
   */
  default <T> Optional<T> optionalParam(String name, ValueType<T> type) {
    return ParameterReader.find(this, name, type);
  }

  /** Returns the mapper of the worker, which reads parameters and writes results. */
  default ValueMapper values() {
    return ValueMapper.standard();
  }

  /**
   * Returns the trace in which the job was submitted, in the format of the W3C Trace Context header
   * {@code traceparent}; null if the client set none. The value is the same for every run of the
   * job. A tracer uses it as the parent of the span of this run, or as a link if the job runs over
   * a long time.
   */
  default @Nullable String traceParent() {
    return null;
  }

  /**
   * Returns the state that belongs to {@link #traceParent}, in the format of the header {@code
   * tracestate}, or null.
   */
  default @Nullable String traceState() {
    return null;
  }

  /** As {@link #progress(long, long, String)}, in per cent and without a message. */
  default void progress(int percent) {
    progress(percent, 100, null);
  }

  /** As {@link #progress(long, long, String)}, in per cent. */
  default void progress(int percent, @Nullable String message) {
    progress(percent, 100, message);
  }

  /**
   * Says how far this attempt has come. Operators see it within a few seconds; it is sent at most
   * once a second, the last call wins, and nothing is stored for the next attempt. Never waits.
   *
   * @param done how much is done, in any unit
   * @param total how much there is to do; 0 if that is unknown
   * @param message up to 200 characters for a person; null for none
   */
  default void progress(long done, long total, @Nullable String message) {}

  /**
   * Keeps a value that the next attempt, or the replay of a dead trigger, begins with. A worker
   * that is killed loses the checkpoints of about the last second: only the last one is kept, and
   * at most one a second is sent to the trackers. Does not wait for an answer. When the attempt
   * ends and another may follow, its last checkpoint is stored first. It is deleted when the
   * trigger has ended.
   *
   * @param value what {@link #values} turns into at most 64 KiB of JSON
   * @throws io.millrace.api.NotRetryableException if the value has no JSON form or is too large, or
   *     if a checkpoint before was, together with all steps, larger than 1 MiB
   * @throws io.millrace.api.KeepException if a checkpoint before could not be stored, because the
   *     attempt is lost or the tracker keeps none
   */
  default void checkpoint(Object value) {}

  /** As {@link #checkpoint(ValueType)}, for a type that is a class. */
  default <T> Optional<T> checkpoint(Class<T> type) {
    return checkpoint(ValueType.of(type));
  }

  /**
   * Returns the last checkpoint of this trigger, from this attempt or an earlier one, or empty if
   * there is none. The first call of an attempt asks a tracker.
   *
   * @throws io.millrace.api.NotRetryableException if it does not fit the type
   * @throws io.millrace.api.KeepException if no tracker answers before the attempt is lost, or the
   *     thread is interrupted
   */
  default <T> Optional<T> checkpoint(ValueType<T> type) {
    return Optional.empty();
  }

  /** As {@link #step(String, ValueType, Callable)}, for a type that is a class. */
  default <T> T step(String name, Class<T> type, Callable<T> body) throws Exception {
    return step(name, ValueType.of(type), body);
  }

  /**
   * Runs a part of the job that no later attempt repeats.
   *
   * <p><b>If the worker is killed after the body and before a tracker has stored its value, the
   * next attempt runs the body again.</b> So the body must bear to run twice; give {@link #stepKey}
   * to others that recognize a repeated call. Once its value is stored, no attempt runs the body
   * again: neither a retry, nor the attempt after a worker or tracker died, nor the replay of the
   * dead trigger by an operator. They return the stored value. A body that throws stores nothing
   * and runs again.
   *
   * <p>The call waits until a tracker has stored the value, and asks again until the attempt is
   * lost. It goes on when the thread is interrupted, and leaves the interrupt pending.
   *
   * <p>All values of a trigger are deleted when it has ended, except of a dead one. A task id that
   * is submitted again finds none of them.
   *
   * @param name 1 to 128 visible characters, unique in the attempt, and the same in every version
   *     of the job: the value is found by it
   * @param type the type of the value, as {@link #values} reads it
   * @param body returns the value, at most 64 KiB of JSON and not null; together with all others of
   *     the trigger 1,000 values of 1 MiB
   * @throws io.millrace.api.NotRetryableException if the name is used twice in this attempt, a
   *     stored value does not fit the type, or there are 1,000 steps, all before the body runs; or
   *     if the body has run and its value cannot be stored: then later attempts get this error and
   *     do not run the body again
   * @throws io.millrace.api.KeepException if no tracker answers before the attempt is lost
   * @throws Exception what the body throws
   */
  default <T> T step(String name, ValueType<T> type, Callable<T> body) throws Exception {
    return body.call();
  }

  /** As {@link #step(String, ValueType, Callable)}, for a step without a value. */
  default void step(String name, StepBody body) throws Exception {
    body.run();
  }

  /** The body of a step without a value. */
  @FunctionalInterface
  interface StepBody {

    /** Runs the step. */
    void run() throws Exception;
  }

  /**
   * Returns a key for the step of this name, to give to others as an idempotency key: 32
   * hexadecimal digits, the same in all attempts of a trigger and in its replays, and different for
   * every other trigger and name. The first call of an attempt asks a tracker.
   *
   * @throws io.millrace.api.NotRetryableException if the name is not one of a step
   * @throws io.millrace.api.KeepException as {@link #checkpoint(ValueType)}
   */
  default String stepKey(String name) {
    String run = "%s/%s/%s".formatted(nodeGroup(), taskId(), plannedFor());
    return StepKeys.of(run, name);
  }

  /** Returns the log of this attempt, which the tracker stores. */
  JobLogger logger();

  /**
   * Returns whether this attempt should stop: its job was cancelled, or the attempt was terminated,
   * has timed out, or is lost. A long invocation should call this method regularly and return
   * early. The thread of the invocation is also interrupted, except after a cancel, and except
   * after a loss with {@link TaskTrackerBuilder#interruptWhenLost interruptWhenLost(false)}. After
   * a cancel, only this method notifies the invocation.
   */
  boolean isStopRequested();

  /**
   * Returns whether this worker has lost the attempt, or may have lost it: the worker has received
   * no answer from a tracker for nearly the length of a lease, or a tracker reported that the
   * execution was taken from it. Another worker may already run the next attempt, so the invocation
   * should make no further changes that are visible outside. Once true, the value stays true.
   */
  boolean isLost();
}
