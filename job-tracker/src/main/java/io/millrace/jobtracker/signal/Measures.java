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

  /** Tells both. */
  static Measures both(Measures first, Measures second) {
    return new MeasuresForTwo(first, second);
  }

  /** What became of an alert. */
  enum AlertOutcome {
    /** A receiver has taken it. */
    SENT,
    /** An attempt to deliver it failed. */
    FAILED,
    /** It was given up, or there was no room to take note of what it would have told. */
    DROPPED
  }

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

  /**
   * Something became of alerts for a receiver.
   *
   * @param receiverType what it is: {@code webhook}, {@code mail}
   */
  default void alerts(String receiverType, AlertOutcome outcome, long count) {}
}
