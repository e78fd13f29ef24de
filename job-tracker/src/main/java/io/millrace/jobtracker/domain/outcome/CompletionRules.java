package io.millrace.jobtracker.domain.outcome;

import io.millrace.api.RetryPolicy;
import io.millrace.api.WorkerLossPolicy;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.retry.Backoff;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Decides what follows the end of an execution, from the tracker's own row. Thread-safe. */
public final class CompletionRules {
  /** How long a trigger waits after a worker without its handler has received it. */
  public static final Duration UNKNOWN_HANDLER_DELAY = Duration.ofSeconds(5);

  /** The longest time for which a trigger is postponed. */
  static final Duration LONGEST_DELAY = Duration.ofDays(3_650);

  private final RandomGenerator jitter;

  /**
   * @param jitter source of the spread of retries; must be thread-safe
   */
  public CompletionRules(RandomGenerator jitter) {
    this.jitter = jitter;
  }

  /**
   * Decides on an execution that ends now. The next attempt is never due before this one was: an
   * execution that was claimed ahead may go back to waiting before its time.
   */
  public CompletionDecision decide(Execution execution, AttemptOutcome end, long now) {
    CompletionDecision verdict = decideUnstopped(execution, end, now).notBefore(execution.dueAt());
    boolean goesOn = verdict.goesBack() || end.staged() != null;
    if (execution.terminatedBy() != null && (goesOn || !isTheJobsOwnWord(verdict))) {
      return CompletionDecision.end(
          LedgerStatus.CANCELLED, Cause.of(CauseCode.TERMINATED_BY, execution.terminatedBy()));
    }
    return execution.stopRequested() && goesOn
        ? CompletionDecision.end(
            LedgerStatus.CANCELLED, Cause.of(CauseCode.CANCELLED_WHILE_EXECUTING))
        : verdict;
  }

  /**
   * Only these ends come from the job itself: an exception thrown during an interruption does not.
   */
  private static boolean isTheJobsOwnWord(CompletionDecision verdict) {
    return verdict.status() == LedgerStatus.SUCCEEDED || verdict.status() == LedgerStatus.FAILED;
  }

  /**
   * Decides on a trigger that would go back to waiting, but whose job was edited, paused or ended
   * meanwhile.
   */
  public CompletionDecision withoutItsJob(JobState state) {
    return switch (state) {
      case PAUSED ->
          CompletionDecision.end(LedgerStatus.SKIPPED, Cause.of(CauseCode.PAUSED_WHILE_EXECUTING));
      case ACTIVE ->
          CompletionDecision.end(
              LedgerStatus.CANCELLED, Cause.of(CauseCode.EDITED_WHILE_EXECUTING));
      case FINISHED, CANCELLED ->
          CompletionDecision.end(LedgerStatus.CANCELLED, Cause.of(CauseCode.ENDED_WHILE_EXECUTING));
    };
  }

  /** Decides on a part that waits, or would go back to waiting, but whose batch was stopped. */
  public static CompletionDecision withoutItsBatch() {
    return CompletionDecision.end(LedgerStatus.CANCELLED, Cause.of(CauseCode.BATCH_STOPPED));
  }

  /** Decides on a part that has returned more than there is room for. */
  public CompletionDecision withoutRoomForItsResult() {
    return CompletionDecision.end(LedgerStatus.DEAD, Cause.of(CauseCode.RESULTS_TOO_LARGE));
  }

  private CompletionDecision decideUnstopped(Execution execution, AttemptOutcome end, long now) {
    if (end instanceof AttemptOutcome.Reported reported) {
      return decideReported(execution, reported.result(), now);
    }
    if (end instanceof AttemptOutcome.TimedOut) {
      Cause cause = timedOut(execution).and(Cause.of(CauseCode.NOT_ENDED_BY_WORKER));
      return afterTimeout(execution, List.of(), cause, now);
    }
    return end instanceof AttemptOutcome.LeaseExpired
        ? afterLoss(execution, now)
        : sameAttempt(execution, LedgerStatus.RETURNED, Cause.of(CauseCode.NEVER_RECEIVED), now);
  }

  private CompletionDecision decideReported(Execution execution, ExecutionResult result, long now) {
    return switch (result.outcome()) {
      case SUCCESS -> CompletionDecision.end(LedgerStatus.SUCCEEDED, null);
      case FAILED -> CompletionDecision.end(LedgerStatus.FAILED, null);
      case LATER ->
          sameAttempt(
              execution, LedgerStatus.POSTPONED, null, now + waitMillis(result.laterDelay()));
      case EXCEPTION, UNKNOWN ->
          result.noRetry()
              ? CompletionDecision.end(LedgerStatus.DEAD, Cause.of(CauseCode.NOT_RETRYABLE_BY_JOB))
              : afterException(execution, result.exceptionTypes(), now);
      case TIMED_OUT -> afterTimeout(execution, result.exceptionTypes(), timedOut(execution), now);
      case INTERRUPTED -> afterInterruption(execution, result, CauseCode.WORKER_SHUTDOWN, now);
      case LEASE_LOST -> afterInterruption(execution, result, CauseCode.LEASE_RUNNING_OUT, now);
      case NOT_STARTED ->
          sameAttempt(execution, LedgerStatus.RETURNED, Cause.of(CauseCode.NOT_STARTED), now);
      case UNKNOWN_HANDLER -> withoutItsHandler(execution, now);
    };
  }

  /** Another worker may have the runner; a part that is for one worker alone goes to no other. */
  private static CompletionDecision withoutItsHandler(Execution execution, long now) {
    Cause cause = Cause.of(CauseCode.HANDLER_UNKNOWN);
    return execution.spec().boundTo() == null
        ? sameAttempt(
            execution, LedgerStatus.RETURNED, cause, now + UNKNOWN_HANDLER_DELAY.toMillis())
        : withoutItsWorker(execution.spec(), cause);
  }

  /** Decides on a part that is for one worker alone, which will not run it. */
  public static CompletionDecision withoutItsWorker(TriggerSpec spec, Cause cause) {
    return CompletionDecision.end(
        spec.onWorkerLost() == WorkerLossPolicy.DEAD ? LedgerStatus.DEAD : LedgerStatus.SKIPPED,
        cause);
  }

  /** Compares durations, because the milliseconds of a very long one overflow. */
  private static long waitMillis(@Nullable Duration delay) {
    if (delay == null || delay.isNegative()) {
      return 0;
    }
    return (delay.compareTo(LONGEST_DELAY) < 0 ? delay : LONGEST_DELAY).toMillis();
  }

  /**
   * @param exceptionTypes the class names of the exception and of its superclasses; empty if the
   *     attempt ended without one
   */
  private CompletionDecision afterException(
      Execution execution, List<String> exceptionTypes, long now) {
    RetryPolicy policy = execution.spec().retry();
    if (policy.nonRetryable().stream().anyMatch(exceptionTypes::contains)) {
      return CompletionDecision.end(LedgerStatus.DEAD, Cause.of(CauseCode.NOT_RETRYABLE));
    }
    if (hasNoAttemptLeft(execution)) {
      return CompletionDecision.end(LedgerStatus.DEAD, Cause.of(CauseCode.ATTEMPTS_USED_UP));
    }
    long nextDueAt = now + Backoff.delayMillis(policy, execution.attempt(), jitter);
    return new CompletionDecision(LedgerStatus.RETRIED, null, nextDueAt, execution.attempt() + 1);
  }

  private CompletionDecision afterTimeout(
      Execution execution, List<String> exceptionTypes, Cause cause, long now) {
    CompletionDecision verdict = afterException(execution, exceptionTypes, now);
    return verdict.goesBack()
        ? new CompletionDecision(
            verdict.status(), cause, verdict.nextDueAt(), verdict.nextAttempt())
        : CompletionDecision.end(verdict.status(), cause.and(verdict.cause()));
  }

  private static Cause timedOut(Execution execution) {
    Duration timeout = execution.spec().timeout();
    if (timeout == null) {
      return Cause.of(CauseCode.TIMED_OUT);
    }
    long millis = timeout.toMillis();
    return millis % 1_000 == 0
        ? Cause.of(CauseCode.TIMED_OUT_SECONDS, millis / 1_000)
        : Cause.of(CauseCode.TIMED_OUT_MILLIS, millis);
  }

  /**
   * An interruption by the worker does not use up an attempt. But if a job runs at most once and
   * the attempt had begun, the trigger is dead. An attempt that was interrupted after its time-out
   * counts as timed out: a worker may report an interruption when the tracker tells it to stop an
   * overdue attempt, and otherwise the attempt would be repeated without end.
   */
  private CompletionDecision afterInterruption(
      Execution execution, ExecutionResult result, CauseCode code, long now) {
    if (ranTooLong(execution, result, now)) {
      return afterTimeout(execution, result.exceptionTypes(), timedOut(execution), now);
    }
    Cause cause = Cause.of(code);
    return result.startedAt() != null && execution.spec().retry().maxRetries() == 0
        ? CompletionDecision.end(
            LedgerStatus.DEAD, cause.and(Cause.of(CauseCode.RUNS_AT_MOST_ONCE)))
        : sameAttempt(execution, LedgerStatus.RETURNED, cause, now);
  }

  private static boolean ranTooLong(Execution execution, ExecutionResult result, long now) {
    Duration timeout = execution.spec().timeout();
    if (timeout == null) {
      return false;
    }
    Instant begun = result.startedAt();
    long ran =
        begun == null
            ? now - execution.mayBeginAt()
            : result.finishedAt().toEpochMilli() - begun.toEpochMilli();
    return ran >= timeout.toMillis();
  }

  private static CompletionDecision afterLoss(Execution execution, long now) {
    Cause cause = Cause.of(CauseCode.WORKER_LOST);
    return hasNoAttemptLeft(execution)
        ? CompletionDecision.end(LedgerStatus.DEAD, cause.and(Cause.of(CauseCode.ATTEMPTS_USED_UP)))
        : new CompletionDecision(LedgerStatus.RESCUED, cause, now, execution.attempt() + 1);
  }

  private static CompletionDecision sameAttempt(
      Execution execution, LedgerStatus status, @Nullable Cause cause, long dueAt) {
    return new CompletionDecision(status, cause, dueAt, execution.attempt());
  }

  private static boolean hasNoAttemptLeft(Execution execution) {
    return execution.attempt() > execution.spec().retry().maxRetries();
  }
}
