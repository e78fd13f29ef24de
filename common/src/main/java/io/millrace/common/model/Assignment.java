package io.millrace.common.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One execution handed to a worker.
 *
 * @param executionId id of this attempt, rising along the attempts of one trigger: a fencing token
 *     for the job's own side effects
 * @param nodeGroup the job's node group
 * @param taskId the job's task id
 * @param plannedFor the instant the schedule said; the same over all attempts
 * @param ordinal 0 for what was scheduled
 * @param dueAt when this attempt might start
 * @param attempt from 1
 * @param maxAttempts attempts the retry policy allows in all
 * @param handler name of the runner; empty means the worker's only runner
 * @param params the job's parameters
 * @param timeout how long the body may run; empty means as long as it likes
 * @param trace the trace that the job is part of; empty means none
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
    @Nullable TraceContext trace) {

  public Assignment {
    params = Collections.unmodifiableMap(new LinkedHashMap<>(params));
  }

  /** One of a job that is part of no trace. */
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
      @Nullable Duration timeout) {
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
        null);
  }
}
