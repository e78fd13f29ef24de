package io.millrace.jobclient.internal.calls;

import io.millrace.api.JobStatus;
import org.jspecify.annotations.Nullable;

/**
 * A job whose end was awaited has none. {@link PendingCall} converts it to the public exception.
 */
public final class NotEndedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient @Nullable JobStatus status;

  /**
   * @param status what the tracker said instead of an end; null if the time was over
   */
  NotEndedException(String message, @Nullable JobStatus status) {
    super(message);
    this.status = status;
  }

  public @Nullable JobStatus status() {
    return status;
  }
}
