package io.millrace.jobclient;

import org.jspecify.annotations.Nullable;

/**
 * A cancel, pause, resume, run now or explain without an answer: no tracker answered in time, the
 * tracker refused the request, or the client was closed.
 *
 * <p>The message names the call, the job, the trackers and the last failure. All but a run now may
 * be repeated without harm.
 */
public final class JobCallException extends JobClientException {
  private static final long serialVersionUID = 1L;

  private final boolean outcomeUnknown;

  public JobCallException(String message, boolean outcomeUnknown, @Nullable Throwable cause) {
    super(message, cause);
    this.outcomeUnknown = outcomeUnknown;
  }

  /**
   * Whether the request may have been carried out: it was sent and no answer came. If false, it was
   * certainly not.
   */
  public boolean isOutcomeUnknown() {
    return outcomeUnknown;
  }
}
