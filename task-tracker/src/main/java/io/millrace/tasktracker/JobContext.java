package io.millrace.tasktracker;

import io.millrace.api.ParameterException;
import io.millrace.api.ValueMapper;
import io.millrace.api.ValueType;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
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
