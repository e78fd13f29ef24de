package io.millrace.jobclient;

import org.jspecify.annotations.Nullable;

/**
 * A cancel without an answer: no tracker answered in time, or the tracker refused the request. The
 * job may have been cancelled; cancelling it again is harmless.
 */
public final class JobCancelException extends JobClientException {
  private static final long serialVersionUID = 1L;

  public JobCancelException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
