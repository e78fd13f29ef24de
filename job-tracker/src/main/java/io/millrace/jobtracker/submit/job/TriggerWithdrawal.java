package io.millrace.jobtracker.submit.job;

import io.millrace.api.MisfirePolicy;
import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobPlanner;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.JobVersion.Author;
import io.millrace.jobtracker.domain.job.Pause;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.RaceLostException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Withdraws the waiting triggers of a job that is replaced, cancelled or paused, in the transaction
 * of the caller. Thread-safe.
 */
public final class TriggerWithdrawal {
  /** How far the clock of another tracker may be ahead of this tracker's clock. */
  private static final long CLOCK_SKEW_MILLIS = 60_000;

  private final Stores stores;
  private final LockedJobs locked;
  private final JobPlanner planner;
  private final CompletionRecorder recorder;
  private final IdSequence ids;

  public TriggerWithdrawal(
      Stores stores,
      LockedJobs locked,
      JobPlanner planner,
      CompletionRecorder recorder,
      IdSequence ids) {
    this.stores = stores;
    this.locked = locked;
    this.planner = planner;
    this.recorder = recorder;
    this.ids = ids;
  }

  /** Why triggers are withdrawn, and the status and cause that the ledger records for them. */
  public enum Reason {
    REPLACED(LedgerStatus.CANCELLED, CauseCode.REPLACED),
    CANCELLED(LedgerStatus.CANCELLED, CauseCode.CANCELLED),
    PAUSED(LedgerStatus.SKIPPED, CauseCode.PAUSED);

    private final LedgerStatus status;
    private final CauseCode cause;

    Reason(LedgerStatus status, CauseCode cause) {
      this.status = status;
      this.cause = cause;
    }
  }

  /** Which of the past instants for which no trigger was generated get a ledger row. */
  private enum Passed {
    /** None: the schedule stays, and they are generated later or skipped by the resume. */
    NONE,
    /** Those before now: the next version of the job begins with now. */
    BEFORE_NOW,
    /** All: nothing follows the job, or it is paused. */
    UP_TO_NOW
  }

  /**
   * Deletes waiting one-shots and records their end.
   *
   * @return whether there is feedback to push
   * @throws RaceLostException if one of the triggers was claimed meanwhile
   */
  public boolean takeBackOneShots(
      String group, List<WaitingTrigger> rows, Reason reason, long now) {
    delete(group, rows);
    return recorder.record(
        rows.stream().map(row -> end(group, row, specOf(row), reason, now)).toList(), now);
  }

  /**
   * Sets a live job to CANCELLED and withdraws its triggers, because a one-shot replaces the job.
   *
   * @param end who replaces it
   * @return whether there is feedback to push
   */
  public boolean endReplaced(String group, long jobId, End end, long now) {
    JobDefinition job =
        locked
            .find(jobId)
            .filter(found -> found.state().isLive())
            .orElseThrow(() -> new RaceLostException("job " + jobId + " ended in the meantime"));
    return cancel(group, job, Reason.REPLACED, end, now).hasFeedback();
  }

  /**
   * The end of a job as its versions tell it.
   *
   * @param by who asked for it
   * @param versions to which it is added
   */
  public record End(Author by, NewVersions versions) {}

  /**
   * Sets a live job to CANCELLED and withdraws its triggers. The caller has written the job's row,
   * and writes the versions.
   */
  public TakenBack cancel(String group, JobDefinition job, Reason reason, End end, long now) {
    TakenBack taken = takeBack(group, job, reason, job.spec(), Passed.UP_TO_NOW, now);
    JobDefinition cancelled = job.ended(JobState.CANCELLED);
    locked.replace(cancelled, job.version());
    end.versions().add(job, cancelled, end.by(), now);
    return taken;
  }

  /**
   * The result of a withdrawal.
   *
   * @param rows the number of waiting rows deleted
   * @param later the instants of the deleted rows that have no ledger row, because they lie in the
   *     future
   * @param running the number of executions that continue
   * @param plannedUntil the latest instant of the schedule that has a ledger row, or will have one
   *     when an execution ends; further triggers are planned after it
   * @param hasFeedback whether there is feedback to push
   */
  public record TakenBack(
      int rows, List<Long> later, int running, long plannedUntil, boolean hasFeedback) {}

  /**
   * Deletes the waiting triggers of a recurring job whose row the caller has written. Triggers
   * planned for later are deleted without a ledger row, as if never generated. Triggers whose
   * instant is past are recorded in the ledger, and so are the past instants of a live job for
   * which no trigger was generated yet. Recounts how many triggers run and how many wait for their
   * turn.
   *
   * @param next the specification that applies from now on
   */
  public TakenBack takeBackTriggers(
      String group, JobDefinition job, Reason reason, TriggerSpec next, long now) {
    Passed passed = reason == Reason.REPLACED ? Passed.BEFORE_NOW : Passed.UP_TO_NOW;
    return takeBack(group, job, reason, next, passed, now);
  }

  /**
   * As {@link #takeBackTriggers}, for a job whose schedule does not change: past instants without a
   * trigger are generated later, or are skipped by the resume.
   */
  public TakenBack takeBackForEqualSchedule(
      String group, JobDefinition job, TriggerSpec next, long now) {
    return takeBack(group, job, Reason.REPLACED, next, Passed.NONE, now);
  }

  private TakenBack takeBack(
      String group, JobDefinition job, Reason reason, TriggerSpec next, Passed passed, long now) {
    List<WaitingTrigger> rows =
        stores.waiting().findByTask(group, job.taskId()).stream()
            .filter(WaitingTrigger::isOfRecurringJob)
            .toList();
    long plannedUntil = plannedUntil(group, job, rows, now);
    long past = Math.max(now, plannedUntil);
    delete(group, rows);
    List<Long> later =
        rows.stream()
            .filter(row -> isYetToCome(row, past))
            .map(WaitingTrigger::plannedFor)
            .sorted()
            .toList();
    List<TriggerCompletion> ends = new ArrayList<>();
    rows.stream()
        .filter(row -> !isYetToCome(row, past))
        .forEach(row -> ends.add(end(group, row, row.specUnder(job.spec()), reason, now)));
    if (passed != Passed.NONE) {
      ends.addAll(passed(job, reason, passed == Passed.BEFORE_NOW ? now : past + 1, now));
    }
    int running = countTurns(group, job, next.overlapPolicy().isExclusive());
    return new TakenBack(rows.size(), later, running, plannedUntil, recorder.record(ends, now));
  }

  /**
   * Whether the trigger is deleted without a ledger row. A trigger that has begun, or was requested
   * as an extra one, always gets a ledger row, even if clocks differ.
   */
  private static boolean isYetToCome(WaitingTrigger row, long past) {
    return row.plannedFor() > past && !hasBegun(row) && !row.key().isExtra();
  }

  private static boolean hasBegun(WaitingTrigger row) {
    return row.begun() || row.attempt() > 1;
  }

  /**
   * Reads the ledger last: an execution that ends meanwhile is found in the executing table or in
   * the ledger.
   */
  private long plannedUntil(String group, JobDefinition job, List<WaitingTrigger> rows, long now) {
    Stream<WaitingTrigger> waiting =
        rows.stream()
            .filter(row -> !row.key().isExtra())
            .filter(row -> hasBegun(row) || row.plannedFor() <= now);
    Stream<Execution> executing =
        stores.runs().findByTasks(group, List.of(job.taskId())).stream()
            .filter(execution -> execution.jobId() == job.id() && !execution.key().isExtra());
    long latest =
        LongStream.concat(
                waiting.mapToLong(WaitingTrigger::plannedFor),
                executing.mapToLong(Execution::plannedFor))
            .filter(plannedFor -> plannedFor <= now + CLOCK_SKEW_MILLIS)
            .max()
            .orElse(Long.MIN_VALUE);
    return Math.max(
        latest,
        stores.ledger().latestPlanned(job.id(), now + CLOCK_SKEW_MILLIS).orElse(Long.MIN_VALUE));
  }

  private List<TriggerCompletion> passed(JobDefinition job, Reason reason, long before, long now) {
    if (!job.state().isLive()) {
      return List.of();
    }
    Pause pause = job.pause();
    LedgerStatus status = pause == null ? reason.status : LedgerStatus.SKIPPED;
    Cause cause = pause == null ? Cause.of(reason.cause) : causeOf(pause);
    return planner.passed(job, before, MisfirePolicy.none(), now).skipped().stream()
        .map(range -> TriggerCompletion.ofRange(ids.next(now), job, range, status, cause, now))
        .toList();
  }

  private int countTurns(String group, JobDefinition job, boolean exclusive) {
    int running = stores.runs().setCounted(group, job.taskId(), exclusive);
    stores.jobs().setTurns(job.id(), exclusive ? running : 0, 0);
    return running;
  }

  private void delete(String group, List<WaitingTrigger> rows) {
    List<Long> rowIds = rows.stream().map(WaitingTrigger::id).toList();
    if (stores.waiting().delete(group, rowIds) != rowIds.size()) {
      throw new RaceLostException("a trigger of " + group + " was claimed in the meantime");
    }
  }

  private TriggerCompletion end(
      String group, WaitingTrigger row, TriggerSpec spec, Reason reason, long now) {
    ids.observe(row.id());
    return TriggerCompletion.ofWaiting(
        ids.next(now), group, row, spec, reason.status, Cause.of(reason.cause), now);
  }

  private static TriggerSpec specOf(WaitingTrigger row) {
    if (row.spec() == null) {
      throw new IllegalStateException("waiting row " + row.id() + " belongs to a recurring job");
    }
    return row.spec();
  }

  /** The cause that the ledger records for instants that passed during a pause. */
  public static Cause causeOf(@Nullable Pause pause) {
    return pause == null ? Cause.of(CauseCode.PAUSED) : Cause.of(CauseCode.PAUSED_BY, pause.by());
  }
}
