package io.millrace.jobclient.submit;

import io.millrace.common.model.SubmitResult;
import io.millrace.jobclient.JobSubmitException;
import org.jspecify.annotations.Nullable;

/**
 * The end of a job's way, not yet told to whoever waits.
 *
 * @param pending the job
 * @param result the tracker's answer, or null if there is none
 * @param why why there is no answer
 */
record Settlement(PendingSubmission pending, @Nullable SubmitResult result, String why) {

  static Settlement answered(PendingSubmission pending, SubmitResult result) {
    return new Settlement(pending, result, "");
  }

  static Settlement unanswered(PendingSubmission pending, String why) {
    return new Settlement(pending, null, why);
  }

  /** The job is in the outbox. */
  static Settlement kept(PendingSubmission pending) {
    String message =
        "no tracker has answered; the job is in the outbox as submission %s until one does"
            .formatted(pending.submission.submissionId());
    String taskId = pending.submission.job().taskId();
    return new Settlement(pending, SubmitResult.savedLocally(taskId, message), "");
  }

  /** Completes the future. Never called under a lock: the application may run in it. */
  void tell(TrackerLink link) {
    if (result != null) {
      pending.future.complete(result);
    } else {
      pending.future.completeExceptionally(failure(link));
    }
  }

  private JobSubmitException failure(TrackerLink link) {
    boolean unknown = pending.mayBeStored();
    StringBuilder message =
        new StringBuilder()
            .append("job ")
            .append(pending.key)
            .append(" (submission ")
            .append(pending.submission.submissionId())
            .append(unknown ? ") has an unknown outcome: " : ") is not stored: ")
            .append(why)
            .append("; sent ")
            .append(pending.sent)
            .append(" times; ")
            .append(link.describe());
    if (pending.lastFailure != null) {
      message.append("; last failure: ").append(pending.lastFailure.getMessage());
    }
    return new JobSubmitException(message.toString(), unknown, pending.lastFailure);
  }
}
