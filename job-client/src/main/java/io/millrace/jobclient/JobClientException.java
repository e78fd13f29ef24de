package io.millrace.jobclient;

import org.jspecify.annotations.Nullable;

/** A call of a {@link JobClient} ended without an answer. */
public abstract sealed class JobClientException extends RuntimeException
    permits JobSubmitException, JobCallException {
  private static final long serialVersionUID = 1L;

  JobClientException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
