package io.millrace.jobtracker.domain.trigger;

import io.millrace.common.model.MisfirePolicy;
import io.millrace.common.model.OverlapPolicy;
import io.millrace.common.model.RetryPolicy;
import io.millrace.common.model.TraceContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the tracker must know of a job to run and to end one of its triggers, parameters aside. A
 * recurring job keeps it in its definition, a one-shot on its waiting row; an execution always
 * carries its own copy.
 *
 * @param handler name of the runner; empty means the worker's only one
 * @param retry how often a failed attempt is repeated
 * @param timeout how long an attempt may run; null means as long as it likes
 * @param overlap what the client set, or the default when the job was accepted; null of one-shots,
 *     and of jobs that were accepted when the default was to allow it
 * @param misfire as the client set it; null means the default
 * @param chained whether the transaction that ends a trigger writes the next one
 * @param feedback whether the client group is told the end
 * @param clientGroup whom feedback goes to
 * @param submissionId the client's id of the submit
 * @param submittedBy node id of the client
 * @param trace the trace that the job is part of; null if none
 * @param replayOf the dead trigger, by its row in the ledger, if it is a replay; otherwise null
 */
public record TriggerSpec(
    @Nullable String handler,
    RetryPolicy retry,
    @Nullable Duration timeout,
    @Nullable OverlapPolicy overlap,
    @Nullable MisfirePolicy misfire,
    boolean chained,
    boolean feedback,
    String clientGroup,
    String submissionId,
    String submittedBy,
    @Nullable TraceContext trace,
    @Nullable Long replayOf) {

  /** Part of no trace, and no replay. */
  public TriggerSpec(
      @Nullable String handler,
      RetryPolicy retry,
      @Nullable Duration timeout,
      @Nullable OverlapPolicy overlap,
      @Nullable MisfirePolicy misfire,
      boolean chained,
      boolean feedback,
      String clientGroup,
      String submissionId,
      String submittedBy) {
    this(
        handler,
        retry,
        timeout,
        overlap,
        misfire,
        chained,
        feedback,
        clientGroup,
        submissionId,
        submittedBy,
        null,
        null);
  }

  /** With default policies, without a time-out, and part of no trace. */
  public TriggerSpec(
      @Nullable String handler,
      RetryPolicy retry,
      boolean chained,
      boolean feedback,
      String clientGroup,
      String submissionId,
      String submittedBy) {
    this(
        handler,
        retry,
        null,
        null,
        null,
        chained,
        feedback,
        clientGroup,
        submissionId,
        submittedBy);
  }

  /** What holds for triggers of the job that are to run at the same time. */
  public OverlapPolicy overlapPolicy() {
    OverlapPolicy byDefault = chained ? OverlapPolicy.CHAINED_DEFAULT : OverlapPolicy.ALLOW;
    return overlap == null ? byDefault : overlap;
  }

  /** What holds for fire times of the job that were missed. */
  public MisfirePolicy misfirePolicy() {
    return misfire == null ? MisfirePolicy.DEFAULT : misfire;
  }

  /** The parent of the trace that the job is part of, or null. */
  public @Nullable String traceParent() {
    return trace == null ? null : trace.traceParent();
  }

  /** What vendors of tracers keep beside it, or null. */
  public @Nullable String traceState() {
    return trace == null ? null : trace.traceState();
  }

  /** The same for a run that another request asked for. */
  public TriggerSpec askedBy(Submission submission) {
    return new TriggerSpec(
        handler,
        retry,
        timeout,
        overlap,
        misfire,
        chained,
        feedback,
        clientGroup,
        submission.id(),
        submission.by(),
        trace,
        submission.replayOf());
  }
}
