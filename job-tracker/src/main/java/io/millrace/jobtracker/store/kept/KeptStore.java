package io.millrace.jobtracker.store.kept;

import io.millrace.internal.protocol.KeepRequest;
import io.millrace.internal.protocol.KeepStatus;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.TriggerRecord;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What runs keep between their attempts: the values of their steps, and their last checkpoint. It
 * belongs to a trigger, not to a task id: a task id that is used again finds nothing of the run
 * before.
 *
 * <p>Locks are taken in one order: the row of an execution before the rows that its run keeps. Who
 * stores a value updates the execution first, and who ends it deletes the execution first; so
 * nobody waits for rows of a run that executes. A replay locks the job and the dead trigger before
 * them; a dead run has no execution. Those who store values of several executions update these in
 * order of their ids. Who ends several deletes them by several statements, so the two can deadlock
 * over executions; then one of the transactions runs again.
 */
public interface KeptStore {

  /** Identity of a trigger, without its task id: a one-shot has a job id of its own. */
  record Run(long jobId, long plannedAt, int ordinal) {
    /** The place before all others. */
    public static final Run FIRST = new Run(Long.MIN_VALUE, Long.MIN_VALUE, Integer.MIN_VALUE);

    public static Run of(TriggerRecord trigger) {
      TriggerKey key = trigger.key();
      return new Run(trigger.jobId(), key.plannedAt(), key.ordinal());
    }

    /**
     * The text that identifies a run to the outside. A replay has the one of the run that it
     * replays.
     */
    public static String keyOf(String nodeGroup, TriggerRecord trigger) {
      Run run = of(trigger);
      return "%s/%s/%d/%d/%d"
          .formatted(nodeGroup, trigger.key().taskId(), run.jobId, run.plannedAt, run.ordinal);
    }
  }

  /** What a row is. */
  enum Kind {
    /** The value of a step, as JSON; none for a step without a value. */
    STEP,
    /** A step that is done, but whose value could not be kept; the content says why. */
    FAULT,
    /** The last checkpoint, as JSON. */
    CHECKPOINT,
    /** Only of replays: the key of the run that was replayed first. */
    ORIGIN
  }

  /**
   * A row.
   *
   * @param name name of the step; of others, a constant that no step can have
   * @param content the value; null if there is none, or if it was not read
   * @param at when it was stored, in epoch milliseconds
   */
  record Kept(Kind kind, String name, @Nullable String content, long at) {}

  /**
   * Stores a value. First writes the row of the execution, and stores nothing unless the worker
   * holds it and the number of the request is the next. A repeated request of the last number gets
   * the same answer and changes nothing.
   *
   * @param at now, in epoch milliseconds
   */
  KeepStatus write(String workerId, KeepRequest request, long at);

  /** Everything that a run keeps, with its content. */
  List<Kept> read(Run run);

  /** Everything that a run keeps, without its content, in the order in which it was stored. */
  List<Kept> list(Run run);

  /**
   * Hands what a dead trigger kept to its replay, in the caller's transaction, and records the key
   * of the dead one unless it was a replay itself.
   */
  void replayed(String nodeGroup, TriggerRecord dead, TriggerRecord replay, long now);

  /** Deletes what these runs keep, and returns how many rows there were. */
  int delete(Collection<Run> runs);

  /**
   * A run that keeps something.
   *
   * @param plannedFor the instant that its trigger is planned for, in epoch milliseconds
   * @param lastAt when it last kept something, in epoch milliseconds
   */
  record KeptRun(Run run, String nodeGroup, String taskId, long plannedFor, long lastAt) {

    /** The key of its trigger. */
    public TriggerKey key() {
      return new TriggerKey(taskId, run.plannedAt(), run.ordinal());
    }
  }

  /** Runs that keep something, behind this one, in order of their identity. */
  List<KeptRun> runs(Run behind, int limit);
}
