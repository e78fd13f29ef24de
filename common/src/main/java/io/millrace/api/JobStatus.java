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

  public static final int MAX_FIRE_TIMES = 5;
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
   * An execution under way.
   *
   * @param id the id of the execution
   * @param attempt the number of the attempt, from 1
   * @param worker the node id of the worker
   * @param claimedAt when the worker claimed it
   */
  public record Execution(long id, int attempt, String worker, Instant claimedAt) {}

  /** Whether the tracker has a record of the job. */
  public boolean isKnown() {
    return state != State.NOT_KNOWN && state != State.UNKNOWN;
  }

  /** Whether it is a one-shot or a run now that has ended. */
  public boolean hasEnded() {
    return state == State.ENDED;
  }
}
