package io.millrace.tasktracker.pull;

import io.millrace.common.model.Assignment;
import java.util.List;

/** Takes what pulls bring. Called on the loop. */
public interface PulledWork {

  /** Runs this execution; a slot is reserved for it. */
  void start(Assignment assignment);

  /** Tells the tracker that this execution was never started. */
  void handBack(Assignment assignment);

  /** The jobs of these executions were cancelled. */
  void stopRequested(List<Long> executionIds);
}
