package io.millrace.jobtracker.submit.change;

import io.millrace.common.model.ChangeResult;
import io.millrace.common.model.RunNowResult;
import io.millrace.jobtracker.submit.job.LockedJobs;

/** Makes answers to requests that change nothing. */
final class Answers {
  private Answers() {}

  static ChangeResult refused(LockedJobs.Refusal refusal) {
    return new ChangeResult(refusal.status(), 0, refusal.message());
  }

  static RunNowResult notRun(LockedJobs.Refusal refusal) {
    return new RunNowResult(refusal.status(), null, 0, refusal.message());
  }
}
