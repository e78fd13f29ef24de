package io.millrace.jobclient;

import io.millrace.api.JobStatus;
import org.jspecify.annotations.Nullable;

/**
 * The awaited end of a job did not come: the time is over, or there is no end to wait for. The job
 * itself is not affected, and awaiting it again is safe.
 */
public final class JobAwaitException extends JobClientException {
  private static final long serialVersionUID = 1L;

  private final transient @Nullable JobStatus status;

  JobAwaitException(String message, @Nullable JobStatus status) {
    super(message);
    this.status = status;
  }

  /** Returns whether the time is over: the job may still wait or run. */
  public boolean isTimeout() {
    return status == null;
  }

  /**
   * Returns why there is no end to wait for: NOT_KNOWN if the tracker has no record of the job, or
   * none any more; another state if it is a recurring job. Null if the time is over.
   */
  public @Nullable JobStatus status() {
    return status;
  }
}
