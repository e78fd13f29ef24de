package io.millrace.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The feedback on one trigger, sent when its disposition is recorded to one live client of the
 * submitting client group, and again until a client acknowledges it. So a handler may receive it
 * twice.
 *
 * @param nodeGroup the job's node group
 * @param taskId the job's task id
 * @param plannedFor the fire time of the schedule
 * @param ordinal 0 for a scheduled trigger; from 1 for the extra ones of a run now
 * @param disposition how the trigger ended
 * @param attempt the number of its last attempt, from 1; 0 if it was never claimed
 * @param message the message of the last attempt; null if there is none
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
