package io.millrace.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a {@link Declaration}.
 *
 * @param status what happened to the declaration as a whole
 * @param message for a person: why the declaration did not take effect as a whole, or null
 * @param jobs what happened to each job: those of the declaration in its order, then retired ones.
 *     If the status is not DONE, only those that were handled before
 */
public record DeclareResult(Status status, @Nullable String message, List<JobResult> jobs) {

  public DeclareResult {
    jobs = List.copyOf(jobs);
  }

  /** What happened to a declaration as a whole. */
  public enum Status {
    /** Each job was handled; {@link DeclareResult#jobs} names those that were not stored. */
    DONE,
    /** The owner has declared a higher revision; nothing was changed. */
    OUTDATED,
    /**
     * Another declaration of the owner began before this one was complete, and takes effect as a
     * whole. What this one had changed before is compared with the other one.
     */
    SUPERSEDED,
    /** A value of a newer protocol. */
    UNKNOWN
  }

  /** What happened to one job. */
  public enum Change {
    /** The job is new. */
    ADDED,
    /** The job differed from what was declared last, and was edited; a paused one stays paused. */
    CHANGED,
    /** The same was declared last; the job is untouched, also if it was edited meanwhile. */
    UNCHANGED,
    /** The job is no longer in the set and was cancelled. */
    RETIRED,
    /** The job had been retired and exists again; if it was paused then, it is paused. */
    RETURNED,
    /** The key is in use by a job of another owner, or by a job without an owner. */
    CONFLICT,
    /** The job is invalid; the reason says what to change. What was declared last stays. */
    REJECTED,
    /** A value of a newer protocol. */
    UNKNOWN
  }

  /**
   * What happened to one job.
   *
   * @param nodeGroup the node group of the job; with the task id, its key
   * @param taskId the task id of the job
   * @param change what was done
   * @param reason set if and only if the job was rejected
   * @param message for a person: the edit that was replaced and who made it, who owns the key of a
   *     conflict, or what was wrong and where; null if there is nothing to say
   */
  public record JobResult(
      String nodeGroup,
      String taskId,
      Change change,
      @Nullable RejectReason reason,
      @Nullable String message) {}

  /** Whether the declaration took effect and every job is as declared. */
  public boolean isComplete() {
    return status == Status.DONE
        && jobs.stream()
            .noneMatch(job -> job.change() == Change.CONFLICT || job.change() == Change.REJECTED);
  }
}
