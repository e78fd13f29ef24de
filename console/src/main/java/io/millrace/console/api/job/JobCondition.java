package io.millrace.console.api.job;

import io.millrace.jobtracker.domain.job.JobState;

/**
 * Where a job is in its life. A one-shot waits or executes, and is no job any more once it ended.
 */
public enum JobCondition {
  ACTIVE,
  PAUSED,
  FINISHED,
  CANCELLED,
  /** A one-shot that no worker has drawn, or one that waits for its next attempt. */
  WAITING,
  /** A one-shot that a worker has drawn. */
  EXECUTING;

  static JobCondition of(JobState state) {
    return valueOf(state.name());
  }
}
