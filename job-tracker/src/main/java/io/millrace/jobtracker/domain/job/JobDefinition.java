package io.millrace.jobtracker.domain.job;

import io.millrace.common.model.Schedule;
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

  /** The trigger of this job for one planned instant, which no later fire time replaces. */
  public WaitingTrigger triggerFor(long waitingId, long plannedAt, long now) {
    return triggerFor(waitingId, plannedAt, null, now);
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
        nextAt);
  }

  /**
   * A trigger of this job beside its schedule, due when it was requested.
   *
   * @param with its parameters, the job's own or others: an extra trigger always carries them
   */
  public WaitingTrigger extraTrigger(
      long waitingId, TriggerKey key, StoredParams with, Submission askedBy) {
    return new WaitingTrigger(
        waitingId,
        firstAttempt(key, key.plannedAt()),
        key.plannedAt(),
        priority,
        key.plannedAt(),
        null,
        with,
        false,
        askedBy,
        null);
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
        null);
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
    return new JobDefinition(
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
        Math.max(generatedUntil, until),
        nextGenerateAt,
        firedCount + fires,
        done,
        pause);
  }

  /** This version in the place of one with an equal schedule, whose fire times it continues. */
  public JobDefinition goingOn(JobDefinition before) {
    return new JobDefinition(
        id,
        nodeGroup,
        taskId,
        version,
        before.state,
        schedule,
        spec,
        params,
        priority,
        before.acceptedAt,
        before.generatedUntil,
        before.generateAt,
        before.firedCount,
        before.exhausted,
        before.pause);
  }

  /**
   * This version, on the grid of the previous one.
   *
   * @param fires how many triggers of the grid were written so far
   * @param until the latest instant that needs no trigger of this version
   */
  public JobDefinition inPhaseWith(JobDefinition before, long fires, long until) {
    return new JobDefinition(
        id,
        nodeGroup,
        taskId,
        version,
        state,
        schedule,
        spec,
        params,
        priority,
        before.acceptedAt,
        until,
        null,
        fires,
        false,
        pause);
  }

  /** This version, paused as the previous one was; the resume plans its fire times. */
  public JobDefinition stayingPaused(Pause by) {
    return new JobDefinition(
        id,
        nodeGroup,
        taskId,
        version,
        JobState.PAUSED,
        schedule,
        spec,
        params,
        priority,
        acceptedAt,
        generatedUntil,
        null,
        firedCount,
        false,
        by);
  }

  /** The job in a state that writes no more triggers; its version rises unless the job finished. */
  public JobDefinition ended(JobState end) {
    return new JobDefinition(
        id,
        nodeGroup,
        taskId,
        end == JobState.FINISHED ? version : version + 1,
        state.to(end, nodeGroup + "/" + taskId),
        schedule,
        spec,
        params,
        priority,
        acceptedAt,
        generatedUntil,
        null,
        firedCount,
        exhausted,
        null);
  }

  /** The job paused; later fire times are planned again when it is resumed. */
  public JobDefinition paused(Pause by) {
    return new JobDefinition(
        id,
        nodeGroup,
        taskId,
        version + 1,
        state.to(JobState.PAUSED, nodeGroup + "/" + taskId),
        schedule,
        spec,
        params,
        priority,
        acceptedAt,
        by.at(),
        null,
        firedCount,
        false,
        by);
  }

  /**
   * The job resumed. Its version stays, so that runs requested while it was paused remain valid.
   *
   * @param until fire times up to and including this instant get no trigger by generation
   */
  public JobDefinition resumed(long until) {
    return new JobDefinition(
        id,
        nodeGroup,
        taskId,
        version,
        state.to(JobState.ACTIVE, nodeGroup + "/" + taskId),
        schedule,
        spec,
        params,
        priority,
        acceptedAt,
        until,
        null,
        firedCount,
        false,
        null);
  }
}
