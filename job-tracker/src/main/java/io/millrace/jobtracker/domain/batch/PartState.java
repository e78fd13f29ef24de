package io.millrace.jobtracker.domain.batch;

import io.millrace.api.Disposition;

/** How a stored part ended, for those who read its result later. */
public enum PartState {
  NOT_ENDED,
  SUCCEEDED,
  FAILED,
  DEAD,
  CANCELLED,
  SKIPPED;

  public static PartState after(Disposition end) {
    return valueOf(end.name());
  }
}
