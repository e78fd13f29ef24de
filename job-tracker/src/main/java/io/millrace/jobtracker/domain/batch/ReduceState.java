package io.millrace.jobtracker.domain.batch;

import io.millrace.api.Disposition;

/** How far the reduce of a batch is: the part that runs after all others. */
public enum ReduceState {
  /** The batch has none. */
  NONE,
  /** It runs when the others have ended, if their ends allow it. */
  TO_COME,
  /** It waits or runs. */
  RELEASED,
  SUCCEEDED,
  FAILED,
  DEAD,
  CANCELLED;

  /** The state after its end. */
  public static ReduceState after(Disposition end) {
    return switch (end) {
      case SUCCEEDED -> SUCCEEDED;
      case FAILED -> FAILED;
      case DEAD -> DEAD;
      case CANCELLED, SKIPPED -> CANCELLED;
      case UNKNOWN -> throw new IllegalArgumentException("a reduce cannot end " + end);
    };
  }
}
