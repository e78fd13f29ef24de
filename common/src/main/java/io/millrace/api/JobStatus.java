package io.millrace.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a tracker's rows say of a job, or of one submit of it, at one moment.
 *
 * @param nodeGroup the group of the question
 * @param taskId the task id of the question
 * @param submissionId the submit that the status is about; null if the job is not known
 * @param state the state
 * @param asOf when the rows were read, by the tracker's clock
 * @param nextFireTimes a waiting one-shot or run now: when its next attempt may start, empty while
 *     it waits for its turn. A recurring job: its next fire times, at most {@value
 *     #MAX_FIRE_TIMES}; empty while it is paused
 * @param executions the executions under way, at most {@value #MAX_EXECUTIONS}
 * @param lastEnd of a one-shot or a run now: its end. Of a recurring job: its latest end. Null if
 *     there is none, or none any more
 */
public record JobStatus(
    String nodeGroup,
    String taskId,
    @Nullable String submissionId,
    State state,
    Instant asOf,
    List<Instant> nextFireTimes,
    List<Execution> executions,
    @Nullable TriggerResult lastEnd) {

  /** How many of the next fire times are told. */
  public static final int MAX_FIRE_TIMES = 5;

  /** How many of the executions under way are told. */
  public static final int MAX_EXECUTIONS = 10;

  public JobStatus {
    state = state == null ? State.UNKNOWN : state;
    nextFireTimes = nextFireTimes == null ? List.of() : List.copyOf(nextFireTimes);
    executions = executions == null ? List.of() : List.copyOf(executions);
  }

  /** The state of a job. A one-shot or a run now has one of the first three. */
  public enum State {
    /** It waits: for its time, for a worker, for its turn, or for the next attempt. */
    WAITING,
    /** A worker runs it. */
    RUNNING,
    /** It has ended; {@link JobStatus#lastEnd} says how. */
    ENDED,
    /** A recurring job that fires. */
    ACTIVE,
    /** A recurring job that was paused. */
    PAUSED,
    /** A recurring job that has no fire time left. */
    FINISHED,
    /** A recurring job that was cancelled or replaced. */
    CANCELLED,
    /**
     * Not known, or not known any more: it was never stored, or it ended so long ago that the
     * tracker has purged the record of its end.
     */
    NOT_KNOWN,
    /** A value of a newer protocol. */
    UNKNOWN
  }

  /**
   * An execution under way, or a run that was split into parts.
   *
   * @param id the id of the execution; of a run that was split, of its batch
   * @param attempt the number of the attempt, from 1
   * @param worker the node id of the worker; of a run that was split, of the one that split it
   * @param claimedAt when the worker claimed it
   * @param parts how far the parts are; null if the run was not split
   */
  public record Execution(
      long id, int attempt, String worker, Instant claimedAt, @Nullable Parts parts) {

    /** Creates an execution that was not split. */
    public Execution(long id, int attempt, String worker, Instant claimedAt) {
      this(id, attempt, worker, claimedAt, null);
    }

    /** Whether the run was split into parts: then no worker runs it, but its parts. */
    public boolean isSplit() {
      return parts != null;
    }
  }

  /**
   * How far the parts of a run are.
   *
   * @param total how many there are
   * @param ended how many have ended
   * @param failed how many of those failed, are dead or were cancelled
   */
  public record Parts(int total, int ended, int failed) {}

  /** Whether the tracker has a record of the job. */
  public boolean isKnown() {
    return state != State.NOT_KNOWN && state != State.UNKNOWN;
  }

  /** Whether it is a one-shot or a run now that has ended. */
  public boolean hasEnded() {
    return state == State.ENDED;
  }
}
