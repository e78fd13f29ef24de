package io.millrace.jobtracker.submit;

import io.millrace.api.Schedule;
import io.millrace.api.SubmitResult;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.RaceLostException;
import io.millrace.jobtracker.submit.job.EarlierSubmissions;
import io.millrace.jobtracker.submit.job.PendingSubmit;
import io.millrace.jobtracker.submit.job.TriggerWithdrawal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Stores one-shots in the transaction of the caller. They are inserted into the waiting table
 * first. Then the runs under way, the job definitions and the ledger are checked: a row whose task
 * id is in use there and may not be replaced, or whose submission is known, is deleted again. (A
 * check before the insert would leave a gap in which a claim moves the trigger.) One statement
 * checks all of these tables; it seldom finds anything. Thread-safe.
 */
final class OneShotSubmit {
  /**
   * The order of inserts. Trackers that store the same task ids at the same time wait for one
   * another without a deadlock.
   */
  static final Comparator<WaitingTrigger> BY_TASK = Comparator.comparing(row -> row.key().taskId());

  private final Stores stores;
  private final TriggerWithdrawal takeback;
  private final IdSequence ids;
  private final Clock clock;

  OneShotSubmit(Stores stores, TriggerWithdrawal takeback, IdSequence ids, Clock clock) {
    this.stores = stores;
    this.takeback = takeback;
    this.ids = ids;
    this.clock = clock;
  }

  /** A job and its inserted row, which may still be deleted. */
  private record Inserted(PendingSubmit job, WaitingTrigger row) {}

  /**
   * Stores jobs of distinct task ids.
   *
   * @param look whether to look for waiting one-shots of these task ids first; otherwise the task
   *     ids are assumed to be new
   * @throws io.millrace.jobtracker.store.failure.DuplicateKeyException if a task id is waiting that
   *     was not looked for or not found
   */
  void store(String group, List<PendingSubmit> jobs, boolean look, Submitted submitted) {
    if (jobs.isEmpty()) {
      return;
    }
    long now = clock.millis();
    Map<String, WaitingTrigger> waiting =
        look
            ? byTask(stores.waiting().findOneShots(group, taskIds(jobs)), w -> w.key().taskId())
            : Map.of();
    if (!waiting.isEmpty()) {
      submitted.metWaiting();
    }
    List<PendingSubmit> left = makeRoom(group, jobs, waiting, submitted, now);
    if (!left.isEmpty()) {
      List<Inserted> inserted =
          left.stream().map(job -> new Inserted(job, rowOf(job, now))).toList();
      stores.waiting().insert(group, inserted.stream().map(Inserted::row).sorted(BY_TASK).toList());
      answerInserted(group, inserted, waiting.keySet(), submitted, now);
    }
  }

  /**
   * Withdraws the waiting one-shots that are replaced, and answers the jobs whose task id remains
   * with the waiting one-shot.
   *
   * @return the other jobs, in order
   */
  private List<PendingSubmit> makeRoom(
      String group,
      List<PendingSubmit> jobs,
      Map<String, WaitingTrigger> waiting,
      Submitted submitted,
      long now) {
    if (waiting.isEmpty()) {
      return jobs;
    }
    EarlierSubmissions earlier =
        earlier(group, jobs.stream().filter(job -> waiting.containsKey(job.taskId())));
    List<PendingSubmit> left = new ArrayList<>();
    List<WaitingTrigger> replaced = new ArrayList<>();
    for (PendingSubmit job : jobs) {
      WaitingTrigger present = waiting.get(job.taskId());
      SubmitResult refusal = present == null ? null : refusal(job, present, earlier);
      if (refusal != null) {
        submitted.answer(job, refusal);
        continue;
      }
      left.add(job);
      if (present != null) {
        replaced.add(present);
      }
    }
    if (!replaced.isEmpty()) {
      submitted.storedFeedback(
          takeback.takeBackOneShots(group, replaced, TriggerWithdrawal.Reason.REPLACED, now));
    }
    return left;
  }

  /**
   * The answer to a resend, or to a submission id of another request; null if the submit is new.
   * Reads the tables in the order in which a trigger moves.
   */
  @Nullable SubmitResult fromTheRecord(String group, PendingSubmit job) {
    List<String> taskId = List.of(job.taskId());
    String submissionId = job.spec().submissionId();
    boolean lives =
        stores.waiting().findOneShots(group, taskId).stream()
                .anyMatch(row -> isOf(row, submissionId))
            || stores.runs().findByTasks(group, taskId).stream()
                .anyMatch(run -> isOf(run, submissionId));
    EarlierSubmissions earlier = earlier(group, Stream.of(job));
    return lives || earlier.knows(job) ? SubmitResult.accepted(job.taskId()) : earlier.refusal(job);
  }

  private static @Nullable SubmitResult refusal(
      PendingSubmit job, WaitingTrigger present, EarlierSubmissions earlier) {
    String submissionId = job.spec().submissionId();
    // A resend: the job has already ended or is the one that waits. A later submit does not affect
    // it.
    if (earlier.knows(job) || isOf(present, submissionId)) {
      return SubmitResult.accepted(job.taskId());
    }
    SubmitResult refusal = earlier.refusal(job);
    if (refusal == null) {
      refusal = job.refusalOver(present.jobId(), 0);
    }
    if (refusal != null || job.replaces()) {
      return refusal;
    }
    return job.duplicateOf(present.spec(), "a one-shot of this task id is waiting");
  }

  private void answerInserted(
      String group, List<Inserted> inserted, Set<String> replaced, Submitted submitted, long now) {
    List<PendingSubmit> jobs = known(group, inserted.stream().map(Inserted::job).toList());
    List<String> taskIds = taskIds(jobs);
    Map<String, Execution> executing =
        byTask(stores.runs().findByTasks(group, taskIds), e -> e.key().taskId());
    Map<String, JobDefinition> definitions =
        byTask(liveJobs(group, taskIds), JobDefinition::taskId);
    EarlierSubmissions earlier = earlier(group, jobs.stream());
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
                  earlier,
                  submitted,
                  now);
          if (refusal == null
              && !definitions.containsKey(job.taskId())
              && !replaced.contains(job.taskId())) {
            refusal = job.refusalOverNothing();
          }
          if (refusal != null) {
            takenBack.add(row.id());
            submitted.answer(job, refusal);
            return;
          }
          submitted.stored(row);
          if (!submitted.isAnswered(job)) {
            submitted.answer(job, stored(job.taskId(), replaced));
          }
        });
    if (stores.waiting().delete(group, takenBack) != takenBack.size()) {
      throw new RaceLostException("a row just inserted into " + group + " no longer exists");
    }
  }

  private List<JobDefinition> liveJobs(String group, List<String> taskIds) {
    return stores.jobs().findByTasks(group, taskIds).stream()
        .filter(job -> job.state().isLive())
        .toList();
  }

  private static SubmitResult stored(String taskId, Set<String> replaced) {
    return replaced.contains(taskId)
        ? SubmitResult.replaced(taskId)
        : SubmitResult.accepted(taskId);
  }

  /** Returns the jobs whose task id or submission occurs in other tables; there is seldom any. */
  private List<PendingSubmit> known(String group, List<PendingSubmit> jobs) {
    Set<String> known =
        stores.knownJobs().findKnown(group, jobs.stream().map(PendingSubmit::identity).toList());
    return known.isEmpty()
        ? List.of()
        : jobs.stream().filter(job -> known.contains(job.taskId())).toList();
  }

  private @Nullable SubmitResult refusal(
      String group,
      PendingSubmit job,
      @Nullable Execution executing,
      @Nullable JobDefinition definition,
      EarlierSubmissions earlier,
      Submitted submitted,
      long now) {
    String submissionId = job.spec().submissionId();
    if (earlier.knows(job) || (executing != null && isOf(executing, submissionId))) {
      return SubmitResult.accepted(job.taskId());
    }
    SubmitResult anothers = earlier.refusal(job);
    if (anothers != null) {
      return anothers;
    }
    if (executing != null) {
      return job.duplicateOf(
          executing.spec(),
          "execution " + executing.id() + " of this task id is running and cannot be replaced");
    }
    if (definition == null) {
      return null;
    }
    if (!job.replaces()) {
      return job.duplicateOf(
          definition.spec(), "a recurring job of this task id is " + definition.state());
    }
    SubmitResult changed = job.refusalOver(definition.id(), definition.version());
    if (changed != null) {
      return changed;
    }
    submitted.storedFeedback(
        takeback.endReplaced(
            group,
            definition.id(),
            new TriggerWithdrawal.End(job.author(), submitted.versions()),
            now));
    submitted.answer(job, SubmitResult.replaced(job.taskId()));
    return null;
  }

  private EarlierSubmissions earlier(String group, Stream<PendingSubmit> jobs) {
    return EarlierSubmissions.ofOneShots(stores.ledger(), group, jobs);
  }

  private static boolean isOf(WaitingTrigger row, String submissionId) {
    return row.spec() != null && row.spec().submissionId().equals(submissionId);
  }

  private static boolean isOf(Execution execution, String submissionId) {
    return !execution.isOfRecurringJob() && execution.spec().submissionId().equals(submissionId);
  }

  private WaitingTrigger rowOf(PendingSubmit job, long now) {
    long id = ids.next(now);
    long dueAt = dueAt((Schedule.Once) job.job().schedule(), now);
    return WaitingTrigger.oneShot(
        id, job.taskId(), dueAt, job.job().priority(), now, job.spec(), job.params());
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
