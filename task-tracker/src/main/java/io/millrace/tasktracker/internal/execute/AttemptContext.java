package io.millrace.tasktracker.internal.execute;

import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ExecutionResult;
import org.jspecify.annotations.Nullable;

/** The assignment of one attempt, and whether the attempt should stop. Thread-safe. */
public final class AttemptContext {
  private final Assignment assignment;
  private volatile boolean stopRequested;
  private volatile boolean lost;
  private volatile boolean keeping;
  private @Nullable Runnable onLoss;

  AttemptContext(Assignment assignment) {
    this.assignment = assignment;
  }

  void requestStop() {
    stopRequested = true;
  }

  void lose() {
    stopRequested = true;
    Runnable action;
    synchronized (this) {
      lost = true;
      action = onLoss;
    }
    if (action != null) {
      action.run();
    }
  }

  public Assignment assignment() {
    return assignment;
  }

  public long executionId() {
    return assignment.executionId();
  }

  public boolean isStopRequested() {
    return stopRequested;
  }

  public boolean isLost() {
    return lost;
  }

  /** Sets what runs when the attempt is lost; it runs at once if the attempt is lost already. */
  public void whenLost(Runnable action) {
    synchronized (this) {
      onLoss = action;
    }
    if (lost) {
      action.run();
    }
  }

  /** Records that its run keeps steps or a checkpoint. */
  public void keeps() {
    keeping = true;
  }

  /** The same result, which says whether the run keeps anything. */
  ExecutionResult marked(ExecutionResult result) {
    return keeping ? result.withKept() : result;
  }

  @Override
  public String toString() {
    return "execution %d of %s/%s"
        .formatted(executionId(), assignment.nodeGroup(), assignment.taskId());
  }
}
