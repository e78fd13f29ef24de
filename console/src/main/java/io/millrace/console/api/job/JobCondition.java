package io.millrace.console.api.job;

import io.millrace.jobtracker.domain.job.JobState;

/** The state of a job. A one-shot waits or executes; once it has ended, it is no longer a job. */
public enum JobCondition {
  ACTIVE,
  PAUSED,
  FINISHED,
  CANCELLED,
  /** A one-shot that no worker has claimed, or that waits for its next attempt. */
  WAITING,
  /** A one-shot that a worker has claimed. */
  EXECUTING;

  static JobCondition of(JobState state) {
    return valueOf(state.name());
  }
}
