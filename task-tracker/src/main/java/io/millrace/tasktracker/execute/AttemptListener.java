package io.millrace.tasktracker.execute;

import io.millrace.common.protocol.ExecutionResult;

/** Learns how attempts end. Called on the loop. */
@FunctionalInterface
public interface AttemptListener {

  /** This execution is over and its slot is free. */
  void ended(ExecutionResult result);
}
