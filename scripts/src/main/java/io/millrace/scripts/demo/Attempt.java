package io.millrace.scripts.demo;

import java.time.Duration;
import java.time.Instant;

/**
 * One attempt that has ended, as its worker saw it.
 *
 * @param executionId its id
 * @param nodeGroup the job's node group
 * @param taskId the job's task id
 * @param number which attempt of the trigger it was, from 1
 * @param maxAttempts how many there may be
 * @param plannedFor the instant the schedule said
 * @param dueAt when this attempt might start
 * @param startedAt when its body began, by the worker's clock
 * @param endedAt when its body had ended, by the worker's clock
 * @param worker name of the worker
 * @param outcome SUCCESS, FAILED, LATER or EXCEPTION
 * @param message what the job said of it; may be empty
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

  /** How much later than it might have the attempt started. */
  public Duration lateness() {
    return Duration.between(dueAt, startedAt);
  }
}
