package io.millrace.jobtracker.domain.outcome;

import io.millrace.api.TriggerResult;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Origin;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Times;
import io.millrace.jobtracker.domain.schedule.SkippedRange;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The ledger row of an end, with the spec that decides on feedback and the dead trigger to keep.
 *
 * @param row for the ledger
 * @param spec of the trigger
 * @param dead the dead trigger to keep; null unless the trigger ended DEAD
 * @param result what the job returned, as JSON; null unless it SUCCEEDED with a value
 */
public record TriggerCompletion(
    LedgerEntry row, TriggerSpec spec, @Nullable DeadTrigger dead, @Nullable String result) {

  public TriggerCompletion {
    if ((row.status() == LedgerStatus.DEAD) != (dead != null)) {
      throw new IllegalArgumentException(
          row.status()
              + " of "
              + row.key()
              + (dead == null ? " keeps no" : " keeps a")
              + " dead one");
    }
  }

  /** Creates an end without a value that the job returned. */
  public TriggerCompletion(LedgerEntry row, TriggerSpec spec, @Nullable DeadTrigger dead) {
    this(row, spec, dead, null);
  }

  /**
   * Creates the end of an execution. If the trigger is dead, the execution must have its parameters
   * in full.
   */
  public static TriggerCompletion of(
      Execution execution, AttemptOutcome end, CompletionDecision verdict, long now) {
    ExecutionResult result = end instanceof AttemptOutcome.Reported r ? r.result() : null;
    return new TriggerCompletion(
        new LedgerEntry(
            execution.id(),
            execution.nodeGroup(),
            execution.core(),
            verdict.status(),
            result != null,
            verdict.cause(),
            execution.plannedFor(),
            1,
            new Times(
                execution.dueAt(),
                execution.generatedAt(),
                execution.claimedAt(),
                result == null ? null : millis(result.startedAt()),
                now),
            execution.workerId(),
            result == null ? null : result.message(),
            Origin.of(execution.spec())),
        execution.spec(),
        verdict.status() == LedgerStatus.DEAD ? DeadTrigger.of(execution, verdict, now) : null,
        result != null && verdict.status() == LedgerStatus.SUCCEEDED ? result.result() : null);
  }

  /**
   * Milliseconds of an instant; null also if they overflow, so that the result is accepted even so.
   */
  private static @Nullable Long millis(@Nullable Instant instant) {
    try {
      return instant == null ? null : instant.toEpochMilli();
    } catch (ArithmeticException tooFarAway) {
      return null;
    }
  }

  /**
   * Creates the end of a trigger that was waiting. If it is dead, it must have its parameters in
   * full.
   */
  public static TriggerCompletion ofWaiting(
      long id,
      String nodeGroup,
      WaitingTrigger trigger,
      TriggerSpec spec,
      LedgerStatus status,
      @Nullable Cause cause,
      long now) {
    TriggerState.WAITING.to(TriggerState.after(status), trigger.key());
    return new TriggerCompletion(
        new LedgerEntry(
            id,
            nodeGroup,
            trigger.core().withAttempt(trigger.attempt() - 1),
            status,
            false,
            cause,
            trigger.plannedFor(),
            1,
            new Times(trigger.dueAt(), trigger.generatedAt(), null, null, now),
            null,
            null,
            Origin.of(spec)),
        spec,
        status == LedgerStatus.DEAD
            ? DeadTrigger.ofWaiting(id, nodeGroup, trigger, cause, now)
            : null);
  }

  /**
   * Creates the end of a run that was split into parts.
   *
   * @param parts how many
   * @param reported whether the worker reported the end of the attempt that split
   * @param result what its reduce returned, as JSON; null if nothing
   */
  public static TriggerCompletion ofRun(
      Execution run,
      int parts,
      LedgerStatus status,
      @Nullable Cause cause,
      boolean reported,
      @Nullable String result,
      long now) {
    TriggerState.BATCH.to(TriggerState.after(status), run.key());
    CompletionDecision verdict = CompletionDecision.end(status, cause);
    return new TriggerCompletion(
        new LedgerEntry(
            run.id(),
            run.nodeGroup(),
            run.core(),
            status,
            reported,
            cause,
            run.plannedFor(),
            1,
            new Times(run.dueAt(), run.generatedAt(), run.claimedAt(), null, now),
            run.workerId(),
            null,
            Origin.of(run.spec())),
        run.spec(),
        status == LedgerStatus.DEAD ? DeadTrigger.of(run, verdict, parts, now) : null,
        status == LedgerStatus.SUCCEEDED ? result : null);
  }

  /**
   * Creates one row for parts that were never released.
   *
   * @param first the first of them, as it would have waited
   */
  public static TriggerCompletion ofUnreleased(
      String nodeGroup, WaitingTrigger first, TriggerSpec spec, int parts, Cause cause, long now) {
    return new TriggerCompletion(
        new LedgerEntry(
            first.id(),
            nodeGroup,
            first.core().withAttempt(0),
            LedgerStatus.CANCELLED,
            false,
            cause,
            first.plannedFor(),
            parts,
            new Times(first.dueAt(), first.generatedAt(), null, null, now),
            null,
            null,
            Origin.of(spec)),
        spec,
        null);
  }

  /** Creates one row for a run of planned instants that were missed and never became triggers. */
  public static TriggerCompletion ofMissed(
      long id, JobDefinition job, SkippedRange range, long now) {
    return ofRange(id, job, range, LedgerStatus.SKIPPED, Cause.of(CauseCode.MISSED), now);
  }

  /** Creates one row for a run of planned instants that never became triggers. */
  public static TriggerCompletion ofRange(
      long id, JobDefinition job, SkippedRange range, LedgerStatus status, Cause cause, long now) {
    long from = range.from().toEpochMilli();
    return new TriggerCompletion(
        new LedgerEntry(
            id,
            job.nodeGroup(),
            new TriggerCore(
                TriggerKey.planned(job.taskId(), from), job.id(), job.version(), from, 0),
            status,
            false,
            cause,
            range.to().toEpochMilli(),
            range.count(),
            new Times(from, now, null, null, now),
            null,
            null,
            Origin.of(job.spec())),
        job.spec(),
        null);
  }

  /** The same end, of which what the job returned is stored elsewhere. */
  public TriggerCompletion withoutResult() {
    return new TriggerCompletion(row, spec, dead);
  }

  /** The feedback for the client group, if the job asked for it and the trigger has ended. */
  public Optional<Feedback> feedback(long feedbackId) {
    TriggerResult told = row.result();
    if (told == null || !spec.feedback()) {
      return Optional.empty();
    }
    Long executionId = this.result == null ? null : row.id();
    return Optional.of(new Feedback(feedbackId, spec.clientGroup(), told, executionId));
  }
}
