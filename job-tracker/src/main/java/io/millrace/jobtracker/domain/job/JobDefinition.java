package io.millrace.jobtracker.domain.job;

import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.Submission;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code jt_job}: a recurring job. The row keeps its id for ever; its version rises with
 * every edit. Times are epoch milliseconds.
 *
 * @param id of the job
 * @param nodeGroup with the task id, the job's key
 * @param taskId with the node group, the job's key
 * @param version from 1
 * @param state its state
 * @param schedule when it fires
 * @param spec how its triggers run and end
 * @param params its parameters
 * @param priority of its triggers
 * @param acceptedAt when this version was accepted: the start of a grid whose schedule names none
 * @param generatedUntil triggers up to and including this instant exist; later ones do not
 * @param generateAt when to generate again; null if nothing is left to generate, or if the end of a
 *     trigger writes the next
 * @param firedCount triggers written so far under this version
 * @param exhausted whether no fire time is left
 * @param pause who paused it, when and why; null unless it is paused
 */
public record JobDefinition(
    long id,
    String nodeGroup,
    String taskId,
    int version,
    JobState state,
    Schedule schedule,
    TriggerSpec spec,
    StoredParams params,
    int priority,
    long acceptedAt,
    long generatedUntil,
    @Nullable Long generateAt,
    long firedCount,
    boolean exhausted,
    @Nullable Pause pause) {

  /** Creates a job that is not paused. */
  public JobDefinition(
      long id,
      String nodeGroup,
      String taskId,
      int version,
      JobState state,
      Schedule schedule,
      TriggerSpec spec,
      StoredParams params,
      int priority,
      long acceptedAt,
      long generatedUntil,
      @Nullable Long generateAt,
      long firedCount,
      boolean exhausted) {
    this(
        id,
        nodeGroup,
        taskId,
        version,
        state,
        schedule,
        spec,
        params,
        priority,
        acceptedAt,
        generatedUntil,
        generateAt,
        firedCount,
        exhausted,
        null);
  }

  /**
   * The trigger of this job for one planned instant.
   *
   * @param nextAt the next fire time, if it replaces this trigger; otherwise null
   */
  public WaitingTrigger triggerFor(
      long waitingId, long plannedAt, @Nullable Long nextAt, long now) {
    return new WaitingTrigger(
        waitingId,
        firstAttempt(TriggerKey.planned(taskId, plannedAt), plannedAt),
        plannedAt,
        priority,
        now,
        null,
        StoredParams.NONE,
        false,
        null,
        nextAt,
        spec.placement());
  }

  /**
   * A trigger of this job beside its schedule, due when it was requested.
   *
   * @param with its parameters, the job's own or others: an extra trigger always carries them
   */
  public WaitingTrigger extraTrigger(
      long waitingId, TriggerKey key, StoredParams with, Submission askedBy) {
    long askedAt = key.plannedAt();
    return replayTrigger(waitingId, key, askedAt, with, askedBy, askedAt);
  }

  /**
   * A trigger of this job in the place of a dead one, due at once.
   *
   * @param plannedFor the instant that the dead one was planned for, in epoch milliseconds
   * @param with its parameters: a replay always carries them
   */
  public WaitingTrigger replayTrigger(
      long waitingId,
      TriggerKey key,
      long plannedFor,
      StoredParams with,
      Submission askedBy,
      long now) {
    return new WaitingTrigger(
        waitingId,
        firstAttempt(key, plannedFor),
        now,
        priority,
        now,
        null,
        with,
        false,
        askedBy,
        null,
        spec.placement());
  }

  private TriggerCore firstAttempt(TriggerKey key, long plannedFor) {
    return new TriggerCore(key, id, version, plannedFor, 1);
  }

  /**
   * The job after further triggers of it were written.
   *
   * @param until triggers up to and including this instant exist now
   * @param fires how many were written
   */
  public JobDefinition fired(long until, long fires, @Nullable Long nextGenerateAt, boolean done) {
    long latest = Math.max(generatedUntil, until);
    Progress further = new Progress(latest, nextGenerateAt, firedCount + fires, done);
    return with(version, state, acceptedAt, further, pause);
  }

  /** This version in the place of one with an equal schedule, whose fire times it continues. */
  public JobDefinition goingOn(JobDefinition before) {
    Progress same =
        new Progress(before.generatedUntil, before.generateAt, before.firedCount, before.exhausted);
    return with(version, before.state, before.acceptedAt, same, before.pause);
  }

  /**
   * This version, on the grid of the previous one.
   *
   * @param fires how many triggers of the grid were written so far
   * @param until the latest instant that needs no trigger of this version
   */
  public JobDefinition inPhaseWith(JobDefinition before, long fires, long until) {
    Progress onGrid = new Progress(until, null, fires, false);
    return with(version, state, before.acceptedAt, onGrid, pause);
  }

  /** This version, paused as the previous one was; the resume plans its fire times. */
  public JobDefinition stayingPaused(Pause by) {
    return with(version, JobState.PAUSED, acceptedAt, unplannedAfter(generatedUntil), by);
  }

  /** The job in a state that writes no more triggers; its version rises unless the job finished. */
  public JobDefinition ended(JobState end) {
    int last = end == JobState.FINISHED ? version : version + 1;
    Progress over = new Progress(generatedUntil, null, firedCount, exhausted);
    return with(last, next(end), acceptedAt, over, null);
  }

  /** The job paused; later fire times are planned again when it is resumed. */
  public JobDefinition paused(Pause by) {
    return with(version + 1, next(JobState.PAUSED), acceptedAt, unplannedAfter(by.at()), by);
  }

  /**
   * The job resumed. Its version stays, so that runs requested while it was paused remain valid.
   *
   * @param until fire times up to and including this instant get no trigger by generation
   */
  public JobDefinition resumed(long until) {
    return with(version, next(JobState.ACTIVE), acceptedAt, unplannedAfter(until), null);
  }

  private JobState next(JobState other) {
    return state.to(other, nodeGroup + "/" + taskId);
  }

  /** How far the triggers of a job were written: the components of the same meaning. */
  private record Progress(
      long generatedUntil, @Nullable Long generateAt, long firedCount, boolean exhausted) {}

  private Progress unplannedAfter(long until) {
    return new Progress(until, null, firedCount, false);
  }

  private JobDefinition with(
      int otherVersion,
      JobState otherState,
      long otherAcceptedAt,
      Progress progress,
      @Nullable Pause otherPause) {
    return new JobDefinition(
        id,
        nodeGroup,
        taskId,
        otherVersion,
        otherState,
        schedule,
        spec,
        params,
        priority,
        otherAcceptedAt,
        progress.generatedUntil,
        progress.generateAt,
        progress.firedCount,
        progress.exhausted,
        otherPause);
  }
}
