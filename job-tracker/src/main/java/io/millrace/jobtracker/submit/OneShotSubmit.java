package io.millrace.jobtracker.submit;

import io.millrace.common.model.Schedule;
import io.millrace.common.model.SubmitResult;
import io.millrace.common.time.Clock;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.JobDefinition;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.RaceLostException;
import io.millrace.jobtracker.store.Stores;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Stores one-shots in the transaction of the caller. They go into the waiting table first; then the
 * executing table, the job definitions and the ledger are asked whether the task id lives there or
 * the submission is known, and what they hit is taken back. (Asking first would leave a gap in
 * which a claim moves the trigger on.) Thread-safe.
 */
final class OneShotSubmit {
  private final Stores stores;
  private final JobTakeback takeback;
  private final IdSequence ids;
  private final Clock clock;

  OneShotSubmit(Stores stores, JobTakeback takeback, IdSequence ids, Clock clock) {
    this.stores = stores;
    this.takeback = takeback;
    this.ids = ids;
    this.clock = clock;
  }

  /** A job and its row, which may yet be taken back. */
  private record Inserted(PendingSubmit job, WaitingTrigger row) {}

  /** Stores jobs of distinct task ids. */
  void store(String group, List<PendingSubmit> jobs, Submitted submitted) {
    if (jobs.isEmpty()) {
      return;
    }
    long now = clock.millis();
    Map<String, WaitingTrigger> waiting =
        byTask(stores.waiting().findOneShots(group, taskIds(jobs)), w -> w.key().taskId());
    List<Inserted> inserted = new ArrayList<>();
    for (PendingSubmit job : jobs) {
      WaitingTrigger present = waiting.get(job.taskId());
      if (present == null || makesRoom(group, job, present, submitted, now)) {
        inserted.add(new Inserted(job, rowOf(job, now)));
      }
    }
    if (!inserted.isEmpty()) {
      stores.waiting().insert(group, inserted.stream().map(Inserted::row).toList());
      answerInserted(group, inserted, waiting.keySet(), submitted, now);
    }
  }

  /** Whether the waiting one-shot of the same task id leaves; answers the job if it does not. */
  private boolean makesRoom(
      String group, PendingSubmit job, WaitingTrigger present, Submitted submitted, long now) {
    if (present.spec() != null && present.spec().submissionId().equals(job.spec().submissionId())) {
      submitted.answer(job, SubmitResult.accepted(job.taskId()));
      return false;
    }
    if (!stores.ledger().knownSubmissions(List.of(job.spec().submissionId())).isEmpty()) {
      // A resend of what has ended already: what was submitted after it is no concern of its.
      submitted.answer(job, SubmitResult.accepted(job.taskId()));
      return false;
    }
    if (!job.job().replaceExisting()) {
      submitted.answer(
          job, SubmitResult.duplicate(job.taskId(), "a one-shot of this task id is waiting"));
      return false;
    }
    submitted.storedFeedback(
        takeback.takeBackOneShots(group, List.of(present), JobTakeback.Reason.REPLACED, now));
    return true;
  }

  private void answerInserted(
      String group, List<Inserted> inserted, Set<String> replaced, Submitted submitted, long now) {
    List<PendingSubmit> jobs = inserted.stream().map(Inserted::job).toList();
    List<String> taskIds = taskIds(jobs);
    Map<String, Execution> executing =
        byTask(stores.executing().findByTasks(group, taskIds), e -> e.key().taskId());
    Map<String, JobDefinition> definitions =
        byTask(stores.jobs().findByTasks(group, taskIds), JobDefinition::taskId);
    Set<String> known =
        stores
            .ledger()
            .knownSubmissions(jobs.stream().map(job -> job.spec().submissionId()).toList());
    List<Long> takenBack = new ArrayList<>();
    inserted.forEach(
        one -> {
          PendingSubmit job = one.job();
          WaitingTrigger row = one.row();
          SubmitResult refusal =
              refusal(
                  group,
                  job,
                  executing.get(job.taskId()),
                  definitions.get(job.taskId()),
                  known.contains(job.spec().submissionId()),
                  submitted,
                  now);
          if (refusal != null) {
            takenBack.add(row.id());
            submitted.answer(job, refusal);
            return;
          }
          submitted.stored(row);
          if (!submitted.isAnswered(job)) {
            submitted.answer(
                job,
                replaced.contains(job.taskId())
                    ? SubmitResult.replaced(job.taskId())
                    : SubmitResult.accepted(job.taskId()));
          }
        });
    if (stores.waiting().delete(group, takenBack) != takenBack.size()) {
      throw new RaceLostException("a row just inserted into " + group + " is gone");
    }
  }

  private @Nullable SubmitResult refusal(
      String group,
      PendingSubmit job,
      @Nullable Execution executing,
      @Nullable JobDefinition definition,
      boolean known,
      Submitted submitted,
      long now) {
    String submissionId = job.spec().submissionId();
    if (known || (executing != null && isOf(executing, submissionId))) {
      return SubmitResult.accepted(job.taskId());
    }
    if (executing != null) {
      return SubmitResult.duplicate(
          job.taskId(),
          "execution " + executing.id() + " of this task id is under way and cannot be replaced");
    }
    if (definition == null || !definition.state().isLive()) {
      return null;
    }
    if (!job.job().replaceExisting()) {
      return SubmitResult.duplicate(
          job.taskId(), "a recurring job of this task id is " + definition.state());
    }
    submitted.storedFeedback(takeback.endReplaced(group, definition.id(), now));
    submitted.answer(job, SubmitResult.replaced(job.taskId()));
    return null;
  }

  private static boolean isOf(Execution execution, String submissionId) {
    return !execution.isOfRecurringJob() && execution.spec().submissionId().equals(submissionId);
  }

  private WaitingTrigger rowOf(PendingSubmit job, long now) {
    long id = ids.next(now);
    long dueAt = dueAt((Schedule.Once) job.job().schedule(), now);
    return new WaitingTrigger(
        id,
        TriggerKey.oneShot(job.taskId()),
        id,
        0,
        dueAt,
        dueAt,
        job.job().priority(),
        1,
        now,
        job.spec(),
        job.params());
  }

  private static long dueAt(Schedule.Once once, long now) {
    if (once.at() != null) {
      return once.at().toEpochMilli();
    }
    return once.after() == null ? now : now + once.after().toMillis();
  }

  private static List<String> taskIds(List<PendingSubmit> jobs) {
    return jobs.stream().map(PendingSubmit::taskId).toList();
  }

  private static <T> Map<String, T> byTask(List<T> rows, Function<T, String> taskId) {
    return rows.stream().collect(Collectors.toMap(taskId, Function.identity(), (a, b) -> a));
  }
}
