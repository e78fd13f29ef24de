package io.millrace.scripts.demo;

import java.time.Duration;
import java.time.Instant;

/**
 * One ended attempt, as its worker saw it.
 *
 * @param executionId the id of the execution
 * @param nodeGroup the job's node group
 * @param taskId the job's task id
 * @param number the number of the attempt of the trigger, from 1
 * @param maxAttempts the maximum number of attempts
 * @param plannedFor the instant planned by the schedule
 * @param dueAt the earliest start of this attempt
 * @param startedAt when its invocation began, by the worker's clock
 * @param endedAt when its invocation ended, by the worker's clock
 * @param worker name of the worker
 * @param outcome SUCCESS, FAILED, LATER or EXCEPTION
 * @param message the message of the job; may be empty
 */
public record Attempt(
    long executionId,
    String nodeGroup,
    String taskId,
    int number,
    int maxAttempts,
    Instant plannedFor,
    Instant dueAt,
    Instant startedAt,
    Instant endedAt,
    String worker,
    String outcome,
    String message) {

  /** Returns how long after its due time the attempt started. */
  public Duration lateness() {
    return Duration.between(dueAt, startedAt);
  }
}
