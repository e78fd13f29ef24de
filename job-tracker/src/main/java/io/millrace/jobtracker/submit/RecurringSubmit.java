package io.millrace.jobtracker.submit;

import io.millrace.api.SubmitResult;
import io.millrace.internal.model.job.Rejection;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobPlanner;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.schedule.ScheduleValidator;
import io.millrace.jobtracker.domain.schedule.SkippedRange;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.RaceLostException;
import io.millrace.jobtracker.submit.job.EarlierSubmissions;
import io.millrace.jobtracker.submit.job.LockedJobs;
import io.millrace.jobtracker.submit.job.PendingSubmit;
import io.millrace.jobtracker.submit.job.TriggerPlans;
import io.millrace.jobtracker.submit.job.TriggerWithdrawal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stores a recurring job and its first triggers in the transaction of the caller. A placeholder row
 * with the key of a one-shot reserves the task id while the other tables are read; it is deleted
 * before the commit. Thread-safe.
 */
final class RecurringSubmit {
  private final Stores stores;
  private final LockedJobs locked;
  private final TriggerWithdrawal takeback;
  private final TriggerPlans plans;
  private final RecurringEdit edit;
  private final CompletionRecorder recorder;
  private final IdSequence ids;
  private final Clock clock;

  RecurringSubmit(
      Stores stores,
      LockedJobs locked,
      TriggerWithdrawal takeback,
      TriggerPlans plans,
      CompletionRecorder recorder,
      IdSequence ids,
      Clock clock) {
    this.stores = stores;
    this.locked = locked;
    this.takeback = takeback;
    this.plans = plans;
    this.edit = new RecurringEdit(takeback, plans);
    this.recorder = recorder;
    this.ids = ids;
    this.clock = clock;
  }

  void store(String group, PendingSubmit job, Submitted submitted) {
    long now = clock.millis();
    if (!plans.hasFireTime(definition(job, 0, group, 1, now, now - 1), job.submittedAt(), now)) {
      submitted.answer(job, answerTooLate(group, job, now));
      return;
    }
    boolean replacesOneShot = false;
    for (WaitingTrigger present : stores.waiting().findOneShots(group, List.of(job.taskId()))) {
      SubmitResult refusal = refuseForOneShot(group, job, present, submitted, now);
      if (refusal != null) {
        submitted.answer(job, refusal);
        return;
      }
      replacesOneShot = true;
    }
    long placeholder = holdTaskId(group, job, now);
    SubmitResult result = storeHeld(group, job, replacesOneShot, submitted, now);
    if (stores.waiting().delete(group, List.of(placeholder)) != 1) {
      throw new RaceLostException("the lock on task id " + job.taskId() + " no longer exists");
    }
    submitted.answer(job, result);
  }

  /**
   * Answers a submit whose schedule has no fire time left. This is checked just before the job is
   * stored, because the job may have waited for the database, and because the ledger must account
   * for each fire time of an accepted job since its submit.
   */
  private SubmitResult answerTooLate(String group, PendingSubmit job, long now) {
    SubmitResult known = fromTheRecord(group, job);
    if (known != null) {
      return known;
    }
    Rejection why = ScheduleValidator.neverFires(job.job().schedule(), Instant.ofEpochMilli(now));
    return SubmitResult.rejected(job.taskId(), why.reason(), why.message());
  }

  private @Nullable SubmitResult refuseForOneShot(
      String group, PendingSubmit job, WaitingTrigger present, Submitted submitted, long now) {
    SubmitResult known = fromTheRecord(group, job);
    if (known != null) {
      return known;
    }
    if (!job.replaces()) {
      return job.duplicateOf(present.spec(), "a one-shot of this task id is waiting");
    }
    SubmitResult changed = job.refusalOver(present.jobId(), 0);
    if (changed != null) {
      return changed;
    }
    submitted.storedFeedback(
        takeback.takeBackOneShots(group, List.of(present), TriggerWithdrawal.Reason.REPLACED, now));
    return null;
  }

  /**
   * Reserves the task id: on every database, the unique key of the waiting table is the lock on it.
   */
  private long holdTaskId(String group, PendingSubmit job, long now) {
    WaitingTrigger place = placeholder(job, ids.next(now), now);
    stores.waiting().insert(group, List.of(place));
    return place.id();
  }

  /** The row that reserves the task id of a job; it never falls due. */
  static WaitingTrigger placeholder(PendingSubmit job, long id, long now) {
    return WaitingTrigger.oneShot(
        id, job.taskId(), Long.MAX_VALUE, job.job().priority(), now, job.spec(), StoredParams.NONE);
  }

  private SubmitResult storeHeld(
      String group, PendingSubmit job, boolean replacesOneShot, Submitted submitted, long now) {
    Optional<JobDefinition> found = locked.find(group, job.taskId());
    SubmitResult known = fromTheRecord(group, found, job);
    if (known != null) {
      return known;
    }
    List<Execution> executing = stores.runs().findByTasks(group, List.of(job.taskId()));
    for (Execution execution : executing) {
      if (!execution.isOfRecurringJob()) {
        return job.duplicateOf(
            execution.spec(),
            "execution " + execution.id() + " of this task id is running and cannot be replaced");
      }
    }
    if (found.isPresent()) {
      return storeOver(group, job, found.get(), replacesOneShot, submitted, now);
    }
    SubmitResult gone = replacesOneShot ? null : job.refusalOverNothing();
    if (gone != null) {
      return gone;
    }
    JobDefinition fresh = definition(job, ids.next(now), group, 1, now, beforeItsSubmit(job, now));
    JobPlanner.Planned planned = plans.begin(fresh, now);
    stores.jobs().insert(planned.advanced());
    submitted.versions().add(fresh, job.author(), now);
    storeTriggers(group, fresh, planned, submitted, now);
    return replacesOneShot
        ? SubmitResult.replaced(job.taskId())
        : SubmitResult.accepted(job.taskId());
  }

  private SubmitResult storeOver(
      String group,
      PendingSubmit job,
      JobDefinition before,
      boolean replacesOneShot,
      Submitted submitted,
      long now) {
    boolean alive = before.state().isLive() && !locked.isOver(group, before);
    if (alive && !job.replaces()) {
      return job.duplicateOf(before.spec(), "a recurring job of this task id is " + before.state());
    }
    if (job.edit() != null && !replacesOneShot) {
      SubmitResult changed =
          alive ? job.refusalOver(before.id(), before.version()) : job.refusalOverNothing();
      return changed == null ? storeEdit(group, job, before, submitted, now) : changed;
    }
    TriggerWithdrawal.TakenBack taken =
        takeback.takeBackTriggers(
            group, before, TriggerWithdrawal.Reason.REPLACED, job.spec(), now);
    submitted.storedFeedback(taken.hasFeedback());
    stores
        .jobs()
        .rememberSubmission(before.id(), before.version(), before.spec().submissionId(), now);
    long planned = Math.max(alive ? now - 1 : beforeItsSubmit(job, now), taken.plannedUntil());
    JobDefinition next = definition(job, before.id(), group, before.version() + 1, now, planned);
    storePlanned(group, next, plans.beginAnew(next, now), submitted, now);
    submitted.versions().add(before, next, job.author(), now);
    return alive || replacesOneShot
        ? SubmitResult.replaced(job.taskId())
        : SubmitResult.accepted(job.taskId());
  }

  private SubmitResult storeEdit(
      String group, PendingSubmit job, JobDefinition before, Submitted submitted, long now) {
    JobDefinition asked = definition(job, before.id(), group, before.version() + 1, now, now - 1);
    RecurringEdit.Edited edited = edit.edit(before, asked, now);
    submitted.storedFeedback(edited.hasFeedback());
    stores
        .jobs()
        .rememberSubmission(before.id(), before.version(), before.spec().submissionId(), now);
    storePlanned(group, asked, edited.planned(), submitted, now);
    submitted.versions().add(before, asked, job.author(), now);
    return SubmitResult.replaced(job.taskId());
  }

  private void storePlanned(
      String group, JobDefinition job, JobPlanner.Planned planned, Submitted submitted, long now) {
    locked.replace(planned.advanced(), job.version() - 1);
    storeTriggers(group, job, planned, submitted, now);
  }

  private void storeTriggers(
      String group, JobDefinition job, JobPlanner.Planned planned, Submitted submitted, long now) {
    List<WaitingTrigger> rows =
        planned.instants().stream().map(at -> plans.trigger(job, ids.next(now), at, now)).toList();
    if (!rows.isEmpty()) {
      stores.waiting().insert(group, rows);
    }
    rows.forEach(submitted::stored);
    SkippedRange missed = planned.missed();
    if (missed != null) {
      TriggerCompletion end = TriggerCompletion.ofMissed(ids.next(now), job, missed, now);
      submitted.storedFeedback(recorder.record(List.of(end), now));
    }
  }

  /**
   * The instant up to which a new job counts as planned. Fire times that passed since the submit,
   * in an outbox or in transit, are planned, and run or are missed as if the job had been stored at
   * once.
   */
  static long beforeItsSubmit(PendingSubmit job, long now) {
    return Math.min(job.submittedAt(), now) - 1;
  }

  /**
   * Makes the definition of a version of a job.
   *
   * @param plannedUntil the latest instant that needs no trigger of this version: an instant that
   *     the previous version has run must not run again under this one
   */
  static JobDefinition definition(
      PendingSubmit job, long id, String group, int version, long now, long plannedUntil) {
    return new JobDefinition(
        id,
        group,
        job.taskId(),
        version,
        JobState.ACTIVE,
        job.job().schedule(),
        job.spec(),
        job.params(),
        job.job().priority(),
        now,
        plannedUntil,
        null,
        0,
        false);
  }

  /** As the other, for the definition as it is stored now. */
  @Nullable SubmitResult fromTheRecord(String group, PendingSubmit job) {
    return fromTheRecord(group, stores.jobs().find(group, job.taskId()), job);
  }

  /**
   * The answer to a resend of the current or an earlier definition, or to a submit with the
   * submission id of another request; null if the submit is new. A task id that never had a
   * definition was never submitted as a recurring job. The ledger is read last, because it has many
   * rows of a job that has run for a long time.
   */
  private @Nullable SubmitResult fromTheRecord(
      String group, Optional<JobDefinition> found, PendingSubmit job) {
    String submissionId = job.spec().submissionId();
    if (found.isPresent()
        && (found.get().spec().submissionId().equals(submissionId)
            || stores.jobs().remembersSubmission(found.get().id(), submissionId))) {
      return SubmitResult.accepted(job.taskId());
    }
    EarlierSubmissions earlier = EarlierSubmissions.ofRecurring(stores.ledger(), group, job);
    return found.isPresent() && earlier.knows(job)
        ? SubmitResult.accepted(job.taskId())
        : earlier.refusal(job);
  }
}
