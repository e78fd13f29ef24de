package io.millrace.internal.model;

import io.millrace.api.TraceContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One execution assigned to a worker.
 *
 * @param executionId id of this attempt, higher for each later attempt of the same trigger: a
 *     fencing token for the job's side effects
 * @param nodeGroup the job's node group
 * @param taskId the job's task id
 * @param plannedFor the fire time of the schedule; the same for all attempts
 * @param ordinal 0 for a scheduled trigger; from 1 for the extra ones of a run now
 * @param dueAt the earliest start of this attempt
 * @param attempt from 1
 * @param maxAttempts total attempts that the retry policy allows
 * @param handler name of the runner; null means the worker's only runner
 * @param params the job's parameters
 * @param timeout how long the invocation may run; null means without limit
 * @param trace the trace that the job is part of; null means none
 * @param shard which part of its run it is, from 0; null if the run is not split into shards
 * @param shards how many parts its run has; null if the run is not split into shards
 * @param part its number, from 1, among the parts that a handler has made; null if it is none
 * @param reduces whether it runs after the parts of its run, and may read their results; null means
 *     that it does not
 */
public record Assignment(
    long executionId,
    String nodeGroup,
    String taskId,
    Instant plannedFor,
    int ordinal,
    Instant dueAt,
    int attempt,
    int maxAttempts,
    @Nullable String handler,
    Map<String, String> params,
    @Nullable Duration timeout,
    @Nullable TraceContext trace,
    @Nullable Integer shard,
    @Nullable Integer shards,
    @Nullable Integer part,
    @Nullable Boolean reduces) {

  /** Creates an assignment of a run that is not split. */
  public Assignment(
      long executionId,
      String nodeGroup,
      String taskId,
      Instant plannedFor,
      int ordinal,
      Instant dueAt,
      int attempt,
      int maxAttempts,
      @Nullable String handler,
      Map<String, String> params,
      @Nullable Duration timeout,
      @Nullable TraceContext trace) {
    this(
        executionId,
        nodeGroup,
        taskId,
        plannedFor,
        ordinal,
        dueAt,
        attempt,
        maxAttempts,
        handler,
        params,
        timeout,
        trace,
        null,
        null,
        null,
        null);
  }

  public Assignment {
    params = Collections.unmodifiableMap(new LinkedHashMap<>(params));
  }
}
