package io.millrace.tasktracker.internal.execute;

import io.millrace.internal.protocol.ExecutionResult;

/** Receives the results of attempts. Called on the loop. */
public interface AttemptListener {

  /** Reports the result of an execution that has ended. */
  void ended(ExecutionResult result);

  /** Reports an attempt that this worker has lost or may have lost, once for each attempt. */
  default void lost(long executionId) {}

  /**
   * Reports that there is room for another execution. Called after the end of an execution, unless
   * its invocation continues and keeps its slot.
   *
   * @param invocationHasRun whether the execution had begun; false if its invocation never began
   */
  void slotFreed(boolean invocationHasRun);
}
