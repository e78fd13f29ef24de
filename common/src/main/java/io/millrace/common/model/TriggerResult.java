package io.millrace.common.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The feedback on one trigger: told once, at its disposition, to one live client of the submitting
 * client group, and again until a client has acknowledged it. So a handler may see it twice.
 *
 * @param nodeGroup the job's node group
 * @param taskId the job's task id
 * @param plannedFor the instant the schedule said
 * @param ordinal 0 for what was scheduled
 * @param disposition how the trigger ended
 * @param attempt the number of its last attempt, from 1; 0 if it was never claimed
 * @param message what the last attempt said
 * @param finishedAt when the tracker recorded the end
 */
public record TriggerResult(
    String nodeGroup,
    String taskId,
    Instant plannedFor,
    int ordinal,
    Disposition disposition,
    int attempt,
    @Nullable String message,
    Instant finishedAt) {

  public TriggerResult {
    disposition = disposition == null ? Disposition.UNKNOWN : disposition;
  }
}
