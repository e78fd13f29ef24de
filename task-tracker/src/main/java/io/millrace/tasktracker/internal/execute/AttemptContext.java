package io.millrace.tasktracker.internal.execute;

import io.millrace.api.Outcome;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ExecutionResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The assignment of one attempt, and whether the attempt should stop. Thread-safe. */
public final class AttemptContext {
  private final Assignment assignment;
  private volatile boolean stopRequested;
  private volatile boolean lost;
  private volatile boolean keeping;
  private volatile @Nullable Integer parts;
  private final List<Runnable> onLoss = new ArrayList<>();

  AttemptContext(Assignment assignment) {
    this.assignment = assignment;
  }

  void requestStop() {
    stopRequested = true;
  }

  void lose() {
    stopRequested = true;
    List<Runnable> actions;
    synchronized (this) {
      lost = true;
      actions = List.copyOf(onLoss);
    }
    actions.forEach(Runnable::run);
  }

  public Assignment assignment() {
    return assignment;
  }

  /** Whether it does a part of a run that was split. */
  boolean isPart() {
    return assignment.part() != null || assignment.shard() != null;
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

  /** Adds what runs when the attempt is lost; it runs at once if the attempt is lost already. */
  public void whenLost(Runnable action) {
    synchronized (this) {
      onLoss.add(action);
    }
    if (lost) {
      action.run();
    }
  }

  /** Records that its run keeps steps or a checkpoint. */
  public void keeps() {
    keeping = true;
  }

  /** Records how many parts it has stored, into which its success splits the run. */
  public void splitsInto(int stored) {
    parts = stored;
  }

  /** The same result, which says whether the run keeps anything, and into what it is split. */
  ExecutionResult marked(ExecutionResult result) {
    ExecutionResult marked = keeping ? result.withKept() : result;
    Integer stored = parts;
    return stored == null || result.outcome() != Outcome.SUCCESS
        ? marked
        : marked.withStaged(stored);
  }

  @Override
  public String toString() {
    return "execution %d of %s/%s"
        .formatted(executionId(), assignment.nodeGroup(), assignment.taskId());
  }
}
