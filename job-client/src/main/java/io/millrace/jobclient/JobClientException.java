package io.millrace.jobclient;

import org.jspecify.annotations.Nullable;

/** A call of a {@link JobClient} did not do what it was to do. */
public abstract sealed class JobClientException extends RuntimeException
    permits JobSubmitException, JobRejectedException, JobCallException, JobAwaitException {
  private static final long serialVersionUID = 1L;

  JobClientException(String message) {
    super(message);
  }

  JobClientException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
