package io.millrace.jobtracker.submit.change;

import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.jobtracker.domain.outcome.ReplayResult.Status;

/** A replay that was begun is refused. The exception rolls its transaction back. */
final class NotReplayedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ReplayResult result;

  private NotReplayedException(ReplayResult result) {
    super(result.message(), null, false, false);
    this.result = result;
  }

  static NotReplayedException refused(String why) {
    return new NotReplayedException(ReplayResult.not(Status.REFUSED, why));
  }

  ReplayResult result() {
    return result;
  }
}
