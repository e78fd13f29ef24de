package io.millrace.jobclient;

import org.jspecify.annotations.Nullable;

/**
 * A call other than a submit ended without an answer: no tracker answered in time, the tracker
 * refused the request, the thread was interrupted, or the client was closed.
 *
 * <p>The message names the call, the job, the trackers and the last failure. Every call except a
 * run now can be repeated safely.
 */
public final class JobCallException extends JobClientException {
  private static final long serialVersionUID = 1L;

  private final boolean outcomeUnknown;

  /**
   * Creates an exception, as a client does, or the test of code that calls one.
   *
   * @param outcomeUnknown see {@link #isOutcomeUnknown}
   * @param cause the last failure; null if there was none
   */
  public JobCallException(String message, boolean outcomeUnknown, @Nullable Throwable cause) {
    super(message, cause);
    this.outcomeUnknown = outcomeUnknown;
  }

  /**
   * Returns whether a tracker may have executed the request: it was sent, and no answer arrived. If
   * false, no tracker executed it.
   */
  public boolean isOutcomeUnknown() {
    return outcomeUnknown;
  }
}
