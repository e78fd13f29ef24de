package io.millrace.jobtracker.submit;

import io.millrace.common.model.SubmitResult;
import io.millrace.common.time.Clock;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.JobDefinition;
import io.millrace.jobtracker.domain.trigger.JobPlanner;
import io.millrace.jobtracker.domain.trigger.JobState;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.RaceLostException;
import io.millrace.jobtracker.store.Stores;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stores a recurring job and its first triggers in the transaction of the caller. A placeholder
 * under the one-shot's key holds the task id while the other tables are asked; it is gone before
 * the commit. Thread-safe.
 */
final class RecurringSubmit {
  private final Stores stores;
  private final JobTakeback takeback;
  private final JobPlanner planner;
  private final IdSequence ids;
  private final Clock clock;

  RecurringSubmit(
      Stores stores, JobTakeback takeback, JobPlanner planner, IdSequence ids, Clock clock) {
    this.stores = stores;
    this.takeback = takeback;
    this.planner = planner;
    this.ids = ids;
    this.clock = clock;
  }

  void store(String group, PendingSubmit job, Submitted submitted) {
    long now = clock.millis();
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
      throw new RaceLostException("the hold on task id " + job.taskId() + " is gone");
    }
    submitted.answer(job, result);
  }

  private @Nullable SubmitResult refuseForOneShot(
      String group, PendingSubmit job, WaitingTrigger present, Submitted submitted, long now) {
    if (isKnown(stores.jobs().find(group, job.taskId()), job)) {
      return SubmitResult.accepted(job.taskId());
    }
    if (!job.job().replaceExisting()) {
      return SubmitResult.duplicate(job.taskId(), "a one-shot of this task id is waiting");
    }
    submitted.storedFeedback(takeback.cancelWaiting(group, List.of(present), "replaced", now));
    return null;
  }

  /** The unique key of the waiting table is the lock on a task id, on every database alike. */
  private long holdTaskId(String group, PendingSubmit job, long now) {
    long id = ids.next(now);
    stores
        .waiting()
        .insert(
            group,
            List.of(
                new WaitingTrigger(
                    id,
                    TriggerKey.oneShot(job.taskId()),
                    id,
                    0,
                    Long.MAX_VALUE,
                    Long.MAX_VALUE,
                    job.job().priority(),
                    1,
                    now,
                    job.spec(),
                    StoredParams.NONE)));
    return id;
  }

  private SubmitResult storeHeld(
      String group, PendingSubmit job, boolean replacesOneShot, Submitted submitted, long now) {
    Optional<JobDefinition> found = stores.jobs().find(group, job.taskId());
    if (isKnown(found, job)) {
      return SubmitResult.accepted(job.taskId());
    }
    List<Execution> executing = stores.executing().findByTasks(group, List.of(job.taskId()));
    for (Execution execution : executing) {
      if (!execution.isOfRecurringJob()) {
        return SubmitResult.duplicate(
            job.taskId(),
            "execution " + execution.id() + " of this task id is under way and cannot be replaced");
      }
    }
    if (found.isEmpty()) {
      JobDefinition fresh = definition(job, ids.next(now), group, 1, now);
      store(group, fresh, false, submitted, now);
      return replacesOneShot
          ? SubmitResult.replaced(job.taskId())
          : SubmitResult.accepted(job.taskId());
    }
    return storeOver(group, job, found.get(), replacesOneShot, submitted, now);
  }

  private SubmitResult storeOver(
      String group,
      PendingSubmit job,
      JobDefinition before,
      boolean replacesOneShot,
      Submitted submitted,
      long now) {
    boolean alive = before.state().isLive() && !isOver(group, before);
    if (alive && !job.job().replaceExisting()) {
      return SubmitResult.duplicate(
          job.taskId(), "a recurring job of this task id is " + before.state());
    }
    JobDefinition next = definition(job, before.id(), group, before.version() + 1, now);
    if (!stores.jobs().replace(next, before.version())) {
      throw new RaceLostException("job " + before.id() + " changed meanwhile");
    }
    submitted.storedFeedback(
        takeback.takeBackTriggers(group, before, "replaced", now).hasFeedback());
    store(group, next, true, submitted, now);
    return alive || replacesOneShot
        ? SubmitResult.replaced(job.taskId())
        : SubmitResult.accepted(job.taskId());
  }

  /** Whether the job has no fire time left and only its state has yet to say so. */
  private boolean isOver(String group, JobDefinition job) {
    return job.exhausted()
        && stores.waiting().findByTask(group, job.taskId()).stream()
            .noneMatch(WaitingTrigger::isOfRecurringJob)
        && stores.executing().findByTasks(group, List.of(job.taskId())).isEmpty();
  }

  private void store(
      String group, JobDefinition job, boolean exists, Submitted submitted, long now) {
    JobPlanner.Planned planned = firstTriggers(group, job, exists, now);
    List<WaitingTrigger> rows =
        planned.instants().stream().map(at -> job.triggerFor(ids.next(now), at, now)).toList();
    if (exists) {
      if (!stores.jobs().advance(planned.advanced())) {
        throw new RaceLostException("job " + job.id() + " changed meanwhile");
      }
    } else {
      stores.jobs().insert(planned.advanced());
    }
    if (!rows.isEmpty()) {
      stores.waiting().insert(group, rows);
    }
    rows.forEach(submitted::stored);
  }

  /**
   * A chained job gets its one trigger now, unless a run of its former version is under way that
   * will write it when it ends.
   */
  private JobPlanner.Planned firstTriggers(
      String group, JobDefinition job, boolean exists, long now) {
    if (!job.spec().chained()) {
      return planner.window(job, now);
    }
    boolean willBeWritten =
        exists
            && stores.executing().findByTasks(group, List.of(job.taskId())).stream()
                .anyMatch(
                    execution ->
                        execution.jobId() == job.id()
                            && execution.spec().chained()
                            && execution.key().ordinal() == 0);
    return willBeWritten
        ? new JobPlanner.Planned(List.of(), job.fired(now - 1, 0, null, false), null)
        : planner.first(job, now);
  }

  private static JobDefinition definition(
      PendingSubmit job, long id, String group, int version, long now) {
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
        now - 1,
        null,
        0,
        false);
  }

  /**
   * Whether this is a resend: of the definition that is there, or of an earlier one of which any
   * trigger has ended. A task id that never had a definition was never submitted as recurring.
   */
  private boolean isKnown(Optional<JobDefinition> found, PendingSubmit job) {
    String submissionId = job.spec().submissionId();
    return found.isPresent()
        && (found.get().spec().submissionId().equals(submissionId)
            || !stores.ledger().knownSubmissions(List.of(submissionId)).isEmpty());
  }
}
