package io.millrace.jobclient;

import io.millrace.common.model.SubmitResult;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A submit without an answer: no tracker answered in time, the tracker refused the request, or the
 * client was closed.
 *
 * <p>The message names the job, the trackers and the last failure. Submitting the job again is safe
 * if its task id is meant to live once: while the job lives, the tracker answers DUPLICATE.
 */
public final class JobSubmitException extends JobClientException {
  private static final long serialVersionUID = 1L;

  private final boolean outcomeUnknown;
  private final transient List<SubmitResult> settled;

  public JobSubmitException(String message, boolean outcomeUnknown, @Nullable Throwable cause) {
    this(message, outcomeUnknown, List.of(), cause);
  }

  JobSubmitException(
      String message,
      boolean outcomeUnknown,
      List<SubmitResult> settled,
      @Nullable Throwable cause) {
    super(message, cause);
    this.outcomeUnknown = outcomeUnknown;
    this.settled = List.copyOf(settled);
  }

  /** The failure of a submit whose caller has waited for it. */
  static JobSubmitException of(ExecutionException e) {
    return e.getCause() instanceof JobSubmitException known
        ? known
        : new JobSubmitException("the submit failed: " + e.getCause(), true, e.getCause());
  }

  /** The wait was interrupted; the thread's interrupt flag is set again. */
  static JobSubmitException interrupted(
      String what, List<SubmitResult> settled, InterruptedException e) {
    Thread.currentThread().interrupt();
    String message = "the thread was interrupted while it waited for the answer to " + what;
    return new JobSubmitException(message, true, settled, e);
  }

  /**
   * Whether the job may have been stored: it was sent and no answer came. If false, it is certainly
   * not stored. Of a batch, whether this holds for at least one job.
   */
  public boolean isOutcomeUnknown() {
    return outcomeUnknown;
  }

  /** Of a batch, the results of the jobs that were answered, in the order of the jobs. */
  public List<SubmitResult> settled() {
    return settled == null ? List.of() : settled;
  }
}
