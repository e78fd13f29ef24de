package io.millrace.jobtracker.domain.batch;

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

  /** The state after its end. It runs alone, so these are its end if it was released. */
  public static ReduceState after(PartEnds ends) {
    if (ends.succeeded() > 0) {
      return SUCCEEDED;
    }
    if (ends.failed() > 0) {
      return FAILED;
    }
    return ends.dead() > 0 ? DEAD : CANCELLED;
  }
}
