package io.millrace.tasktracker.execute;

import io.millrace.common.protocol.ExecutionResult;

/** Learns how attempts end. Called on the loop. */
public interface AttemptListener {

  /** This execution is over. */
  void ended(ExecutionResult result);

  /** A slot is free. Follows the end, unless the body goes on and keeps its slot. */
  void slotFreed();
}
