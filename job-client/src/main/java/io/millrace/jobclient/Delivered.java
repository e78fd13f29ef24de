package io.millrace.jobclient;

import io.millrace.common.model.CancelResult;
import io.millrace.common.model.SubmitResult;
import io.millrace.common.protocol.JobSubmission;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The end of a request that had been saved in the outbox. Exactly one of the last three components
 * is set.
 *
 * @param nodeGroup with the task id, the key of the job
 * @param submission what was submitted; null if it was a cancel, or cannot be read any more
 * @param savedAt when it was saved
 * @param submitted the tracker's answer to a submit
 * @param cancelled the tracker's answer to a cancel
 * @param givenUp why there is no answer and none is waited for any more, for a person: too old,
 *     refused, or not to be read. Whether a tracker has the request all the same is not known
 */
public record Delivered(
    String nodeGroup,
    String taskId,
    @Nullable JobSubmission submission,
    Instant savedAt,
    @Nullable SubmitResult submitted,
    @Nullable CancelResult cancelled,
    @Nullable String givenUp) {

  /** Whether a tracker has answered. */
  public boolean isAnswered() {
    return givenUp == null;
  }
}
