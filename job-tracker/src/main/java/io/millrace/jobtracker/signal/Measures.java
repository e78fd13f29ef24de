package io.millrace.jobtracker.signal;

import io.millrace.common.model.Assignment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What rooms tell of their work to whoever measures it, after the commit. Told once for each batch,
 * on the thread that did the work: an answer costs next to nothing, and never fails. Thread-safe.
 */
public interface Measures {
  /** Measures nothing. */
  Measures NONE = new Measures() {};

  /** What a batch was committed for. */
  enum Commit {
    SUBMIT,
    CLAIM,
    COMPLETE
  }

  /**
   * A batch was committed.
   *
   * @param items jobs, claimed executions or ends in its transaction
   * @param nanos from its begin to the answer of the commit
   */
  default void committed(Commit what, int items, long nanos) {}

  /** Executions were claimed for workers of a node group. */
  default void claimed(String nodeGroup, int executions) {}

  /**
   * Executions have left for a worker in the answer to its pull.
   *
   * @param now epoch milliseconds
   */
  default void handedOut(String nodeGroup, List<Assignment> assignments, long now) {}

  /**
   * A body has run, as its worker says.
   *
   * @param handler name of the runner; null for the worker's only one
   * @param nanos by the worker's clock
   */
  default void ran(String nodeGroup, @Nullable String handler, long nanos) {}
}
