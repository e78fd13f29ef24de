package io.millrace.jobclient;

import io.millrace.api.SubmitResult;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A submit ended without an answer: no tracker answered in time, the tracker refused the request,
 * the thread was interrupted, or the client was closed.
 *
 * <p>The message names the job, the trackers and the last failure. While the job lives, submitting
 * it again is safe: the tracker answers DUPLICATE, or replaces the job if the second submit asks
 * for that. After the job has ended, a second submit creates a new job.
 */
public final class JobSubmitException extends JobClientException {
  private static final long serialVersionUID = 1L;

  private final boolean outcomeUnknown;
  private final transient List<SubmitResult> settled;

  /**
   * Creates an exception, as a client does, or the test of code that calls one.
   *
   * @param outcomeUnknown see {@link #isOutcomeUnknown}
   * @param cause the last failure; null if there was none
   */
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

  /** Returns the failure of a submit that its caller waited for. */
  static JobSubmitException of(ExecutionException e) {
    return e.getCause() instanceof JobSubmitException known
        ? known
        : new JobSubmitException("the submit failed: " + e.getCause(), true, e.getCause());
  }

  /** Returns the failure of an interrupted wait, and sets the thread's interrupt flag again. */
  static JobSubmitException interrupted(
      String what, List<SubmitResult> settled, InterruptedException e) {
    Thread.currentThread().interrupt();
    String message = "the thread was interrupted while it waited for the answer to " + what;
    return new JobSubmitException(message, true, settled, e);
  }

  /**
   * Returns whether a tracker may have stored the job: it was sent, and no answer arrived. If
   * false, the job is not stored. For a batch, returns whether this holds for at least one job.
   */
  public boolean isOutcomeUnknown() {
    return outcomeUnknown;
  }

  /** Returns, for a batch, the results of the jobs that were answered, in the order of the jobs. */
  public List<SubmitResult> settled() {
    return settled == null ? List.of() : settled;
  }
}
