package io.millrace.jobclient;

import org.jspecify.annotations.Nullable;

/** What a {@link JobClient} could not bring to an end in time. */
public abstract sealed class JobClientException extends RuntimeException
    permits JobSubmitException, JobCallException {
  private static final long serialVersionUID = 1L;

  JobClientException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
