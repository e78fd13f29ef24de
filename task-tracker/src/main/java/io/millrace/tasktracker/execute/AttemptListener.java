package io.millrace.tasktracker.execute;

import io.millrace.common.protocol.ExecutionResult;

/** Learns how attempts end. Called on the loop. */
public interface AttemptListener {

  /** This execution is over. */
  void ended(ExecutionResult result);

  /** This attempt is not the worker's own any more, or may not be. Told once of each. */
  default void lost(long executionId) {}

  /**
   * There is room for another execution. Follows the end, unless the body goes on and keeps its
   * slot.
   *
   * @param bodyHasRun whether the body has ended; otherwise it never began
   */
  void slotFreed(boolean bodyHasRun);
}
