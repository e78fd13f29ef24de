package io.millrace.tasktracker.internal.execute;

import io.millrace.internal.model.Assignment;

/** The assignment of one attempt, and whether the attempt should stop. Thread-safe. */
public final class AttemptContext {
  private final Assignment assignment;
  private volatile boolean stopRequested;
  private volatile boolean lost;

  AttemptContext(Assignment assignment) {
    this.assignment = assignment;
  }

  void requestStop() {
    stopRequested = true;
  }

  void lose() {
    lost = true;
    stopRequested = true;
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

  @Override
  public String toString() {
    return "execution %d of %s/%s"
        .formatted(executionId(), assignment.nodeGroup(), assignment.taskId());
  }
}
