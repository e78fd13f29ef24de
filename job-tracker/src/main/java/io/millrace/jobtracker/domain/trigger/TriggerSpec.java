package io.millrace.jobtracker.domain.trigger;

import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.api.TraceContext;
import io.millrace.api.WorkerLossPolicy;
import io.millrace.jobtracker.domain.feature.FeatureLevel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the tracker needs to know of a job to run and to end one of its triggers, except the
 * parameters. A recurring job keeps it in its definition, a one-shot on its waiting row; an
 * execution always carries its own copy.
 *
 * @param handler name of the runner; empty means the worker's only one
 * @param retry how often a failed attempt is repeated
 * @param timeout how long an attempt may run; null means without limit
 * @param overlap what the client set, or the default when the job was accepted; null for one-shots,
 *     and for jobs accepted when the default was to allow overlap
 * @param misfire as the client set it; null means the default
 * @param chained whether the transaction that ends a trigger writes the next one
 * @param feedback whether the client group is notified of the end
 * @param clientGroup the client group that receives feedback
 * @param submissionId the client's id of the submit
 * @param submittedBy node id of the client
 * @param trace the trace that the job is part of; null if none
 * @param replayOf the dead trigger, by its row in the ledger, if it is a replay; otherwise null
 * @param needs the level that every tracker must have; null if the job uses nothing but what every
 *     tracker knows
 * @param shards how many parts a run is split into; null if it is not
 * @param split what holds for the parts of a run that is split; null for the defaults
 * @param part of a part, its batch; otherwise null
 * @param lane what a worker must have to run it; null if nothing
 * @param stickTo key of the worker that should run it, if that one is free; null if any may
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
    @Nullable Long replayOf,
    @Nullable FeatureLevel needs,
    @Nullable Integer shards,
    @Nullable SplitRules split,
    @Nullable PartOf part,
    @Nullable Lane lane,
    @Nullable String stickTo) {

  /** Creates a spec that every tracker knows, of a job that any worker may run. */
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
      String submittedBy,
      @Nullable TraceContext trace,
      @Nullable Long replayOf) {
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
        trace,
        replayOf,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  /** Creates a spec with default policies, without a time-out or a trace, and of no replay. */
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
        submittedBy,
        null,
        null);
  }

  /** The policy for triggers of the job that would run at the same time. */
  public OverlapPolicy overlapPolicy() {
    OverlapPolicy byDefault = chained ? OverlapPolicy.CHAINED_DEFAULT : OverlapPolicy.ALLOW;
    return overlap == null ? byDefault : overlap;
  }

  /** The policy for fire times of the job that were missed. */
  public MisfirePolicy misfirePolicy() {
    return misfire == null ? MisfirePolicy.DEFAULT : misfire;
  }

  /** The parent of the trace that the job is part of, or null. */
  public @Nullable String traceParent() {
    return trace == null ? null : trace.traceParent();
  }

  /** The state that tracing vendors keep with the parent, or null. */
  public @Nullable String traceState() {
    return trace == null ? null : trace.traceState();
  }

  /** The runner that runs after all parts of a run that is split; null if there is none. */
  public @Nullable String reduce() {
    return split == null ? null : split.reduce();
  }

  /** What a failed part of a run that is split means. */
  public PartFailurePolicy onPartFailure() {
    return split == null ? PartFailurePolicy.FINISH : split.onPartFailure();
  }

  /** Whether a run is split into one part for each worker. A part of one is not. */
  public boolean isBroadcast() {
    return part == null && split != null && split.onWorkerLost() != null;
  }

  /** What becomes of the part of a broadcast whose worker is gone. */
  public WorkerLossPolicy onWorkerLost() {
    return split == null || split.onWorkerLost() == null
        ? WorkerLossPolicy.SKIP
        : split.onWorkerLost();
  }

  /** Whether the claim of a run splits it, so that no worker runs it as a whole. */
  public boolean isSplitByItsClaim() {
    return shards != null || isBroadcast();
  }

  /** The worker that alone may run its triggers; null if others may as well. */
  public @Nullable BoundTo boundTo() {
    return part == null ? null : part.boundTo();
  }

  /** The feature level that every tracker must have. */
  public FeatureLevel neededLevel() {
    return needs == null ? FeatureLevel.NONE : needs;
  }

  /** The same spec for a run that another request asked for. */
  public TriggerSpec askedBy(Submission submission) {
    return askedBy(submission, part);
  }

  /** The spec of a replay of a part, which runs in its place. */
  public TriggerSpec replaying(PartOf of, Submission replay) {
    return askedBy(replay, of);
  }

  private TriggerSpec askedBy(Submission submission, @Nullable PartOf of) {
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
        submission.replayOf(),
        needs,
        shards,
        split,
        of,
        lane,
        stickTo);
  }

  /**
   * The spec of a part of a run with this spec: it runs and is retried alike, but it is no submit,
   * and the run itself is followed by the next trigger and by feedback.
   *
   * @param runner name of its runner; null means that of the run
   */
  public TriggerSpec ofPart(PartOf of, @Nullable String runner) {
    return new TriggerSpec(
        runner == null ? handler : runner,
        retry,
        timeout,
        null,
        null,
        false,
        false,
        clientGroup,
        "",
        submittedBy,
        trace,
        null,
        needs,
        null,
        split == null ? null : split.ofPart(),
        of,
        lane,
        null);
  }

  /** What a worker must have to run it. */
  public Lane laneOrPlain() {
    return lane == null ? Lane.PLAIN : lane;
  }

  /** Which workers its triggers are for. */
  public Placement placement() {
    if (boundTo() != null) {
      return Placement.AT_ONE_WORKER;
    }
    return lane == null && stickTo == null
        ? Placement.ANYWHERE
        : new Placement(laneOrPlain().number(), stickTo);
  }

  /** The same spec with a lane of its node group, which requires the same labels. */
  public TriggerSpec in(Lane found) {
    return new TriggerSpec(
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
        trace,
        replayOf,
        needs,
        shards,
        split,
        part,
        found,
        stickTo);
  }
}
