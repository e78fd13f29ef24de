package io.millrace.tasktracker.pull;

import io.millrace.common.model.Assignment;
import java.util.List;

/** Takes what pulls bring. Called on the loop. */
public interface PulledWork {

  /** Runs this execution; a slot is reserved for it. */
  void start(Assignment assignment);

  /** Tells the tracker that this execution was never started. */
  void handBack(Assignment assignment);

  /** These executions are to stop. */
  void stopRequested(List<Long> executionIds);

  /** These executions were terminated: their bodies are to be interrupted. */
  void terminated(List<Long> executionIds);

  /** By the worker's own view, the leases of these executions have run out. */
  void mayBeLost(List<Long> executionIds);

  /** The tracker says that these executions are not this worker's any more. */
  void areLost(List<Long> executionIds);
}
