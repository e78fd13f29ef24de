package io.millrace.tasktracker.internal.pull;

import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.PullReply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Receives the contents of the answers to pulls. Called on the loop. */
public interface PulledWork {

  /**
   * Reports that a pull has ended, also one that was given up before. Its contents were received.
   *
   * @param reply the answer; null if the pull has failed
   */
  void answered(@Nullable PullReply reply);

  /**
   * Starts this execution; a slot, or a place among the executions that wait for one, is reserved
   * for it.
   */
  void start(Assignment assignment);

  /** Reports to the tracker that this execution was never started. */
  void handBack(Assignment assignment);

  /** Requests these executions to stop. */
  void stopRequested(List<Long> executionIds);

  /** Terminates these executions, which interrupts their invocations. */
  void terminated(List<Long> executionIds);

  /** Reports executions whose leases have ended in the worker's own view. */
  void mayBeLost(List<Long> executionIds);

  /** Reports executions that the tracker has taken from this worker. */
  void areLost(List<Long> executionIds);
}
