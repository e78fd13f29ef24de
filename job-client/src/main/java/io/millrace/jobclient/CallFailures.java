package io.millrace.jobclient;

import io.millrace.jobclient.internal.calls.CallFailedException;
import io.millrace.jobclient.internal.calls.NotEndedException;

/** Converts failures of calls to the exceptions of the public API. */
final class CallFailures {
  private CallFailures() {}

  static RuntimeException of(Throwable failure) {
    if (failure instanceof NotEndedException notEnded) {
      return new JobAwaitException(String.valueOf(failure.getMessage()), notEnded.status());
    }
    if (failure instanceof CallFailedException known) {
      return new JobCallException(
          String.valueOf(known.getMessage()), known.isOutcomeUnknown(), known.getCause());
    }
    return new JobCallException(String.valueOf(failure), true, failure);
  }
}
