package io.millrace.jobclient.internal.submit;

import io.millrace.api.JobHandle;
import io.millrace.api.OutboxException;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.internal.outbox.OutboxFullException;
import io.millrace.internal.rpc.tracker.TrackerLink;
import io.millrace.jobclient.internal.request.FailureFactory;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Completes the futures of jobs that have ended. Never called under a lock, because it may run code
 * of the application. Thread-safe.
 */
public final class SubmitNotifier {
  private final InFlightBound inFlight;
  private final TrackerLink link;
  private final FailureFactory failures;

  public SubmitNotifier(InFlightBound inFlight, TrackerLink link, FailureFactory failures) {
    this.inFlight = inFlight;
    this.link = link;
    this.failures = failures;
  }

  /** Completes the futures of settled jobs. */
  void notify(List<PendingSubmission> settled) {
    for (PendingSubmission pending : settled) {
      pending.ended.complete(null);
      try {
        pending.notifyOn.execute(() -> complete(pending));
      } catch (RejectedExecutionException closed) {
        complete(pending);
      }
    }
  }

  /**
   * Completes the future of a job that was handed over to the outbox.
   *
   * @param failure why the job is not on the disk; null if it is
   */
  void notifySaved(PendingSubmission pending, @Nullable Throwable failure) {
    if (failure == null) {
      String message =
          ("no tracker has answered yet; the job is saved in the outbox as submission %s and"
                  + " will be delivered")
              .formatted(pending.submission.submissionId());
      pending.result = SubmitResult.savedLocally(pending.key().taskId(), message);
    } else {
      pending.lastFailure = failure;
      pending.maybeSaved =
          failure instanceof OutboxException && !(failure instanceof OutboxFullException);
      pending.whyUnanswered =
          "no tracker has answered, and the job could not be saved in the outbox";
    }
    notify(List.of(pending));
  }

  private void complete(PendingSubmission pending) {
    if (!pending.fromOutbox) {
      inFlight.leave(pending.bytes());
    }
    SubmitResult result = pending.result;
    inFlight.runWithoutWaiting(
        () -> {
          if (result != null) {
            pending.future.complete(named(result, pending));
          } else {
            pending.future.completeExceptionally(failure(pending));
          }
        });
  }

  /** The result with the handle of this submit, unless the tracker named another one. */
  private static SubmitResult named(SubmitResult result, PendingSubmission pending) {
    boolean hasIt = result.isStored() || result.status() == SubmitStatus.SAVED_LOCALLY;
    return hasIt
        ? result.withHandle(
            new JobHandle(
                pending.key().nodeGroup(),
                pending.key().taskId(),
                pending.submission.submissionId()))
        : result;
  }

  private RuntimeException failure(PendingSubmission pending) {
    boolean unknown = pending.mayBeStored();
    StringBuilder message =
        new StringBuilder()
            .append("job ")
            .append(pending.key())
            .append(" (submission ")
            .append(pending.submission.submissionId())
            .append(unknown ? ") has an unknown outcome: " : ") is not stored: ")
            .append(pending.whyUnanswered)
            .append("; sent ")
            .append(pending.sent)
            .append(" times; ")
            .append(link.describe());
    if (pending.lastFailure != null) {
      message.append("; last failure: ").append(pending.lastFailure.getMessage());
    }
    return failures.create(message.toString(), unknown, pending.lastFailure);
  }
}
