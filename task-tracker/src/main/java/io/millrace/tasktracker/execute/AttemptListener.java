package io.millrace.tasktracker.execute;

import io.millrace.common.protocol.ExecutionResult;

/** Learns how attempts end. Called on the loop. */
public interface AttemptListener {

  /** This execution is over. */
  void ended(ExecutionResult result);

  /**
   * There is room for another execution. Follows the end, unless the body goes on and keeps its
   * slot.
   *
   * @param bodyHasRun whether the body has ended; otherwise it never began
   */
  void slotFreed(boolean bodyHasRun);
}
