package io.millrace.jobtracker.domain.batch;

/** Why a batch was told to end before all its parts had run. */
public enum BatchStop {
  /** Its run was cancelled, terminated or replaced. */
  CANCELLED,
  /** A part failed, and the job stops the others then. */
  PART_FAILED,
  /** Its run did not end in time. */
  DEADLINE
}
