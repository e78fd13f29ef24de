package io.millrace.jobtracker.group.reconcile;

import io.millrace.api.RetryPolicy;
import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.CauseWords;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.JobStore.ListedJob;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.WaitingStore.ListedTrigger;
import io.millrace.jobtracker.store.failure.RaceLostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Deletes waiting triggers of recurring jobs whose job is gone, or was edited, paused or ended. No
 * worker would ever receive them, and they would block the keys of a job that is edited back.
 * Thread-safe.
 */
final class OrphanTriggers {
  private final JobRepair repair;
  private final Stores stores;
  private final CompletionRecorder recorder;

  OrphanTriggers(JobRepair repair) {
    this.repair = repair;
    this.stores = repair.stores();
    this.recorder = new CompletionRecorder(stores, repair.ids());
  }

  /** The triggers are read before their jobs: a trigger just written finds its job. */
  void check(List<ListedTrigger> triggers, long now, ReconcileReport findings) {
    Map<Long, List<ListedTrigger>> byJob =
        triggers.stream()
            .filter(trigger -> trigger.jobVersion() > 0)
            .collect(
                Collectors.groupingBy(ListedTrigger::jobId, TreeMap::new, Collectors.toList()));
    if (byJob.isEmpty()) {
      return;
    }
    Map<Long, ListedJob> jobs =
        stores.jobs().list(byJob.keySet()).stream()
            .collect(Collectors.toMap(ListedJob::id, Function.identity()));
    byJob.forEach(
        (jobId, rows) -> {
          ListedJob job = jobs.get(jobId);
          Set<Long> suspects =
              rows.stream()
                  .filter(row -> !belongs(row, job))
                  .map(ListedTrigger::id)
                  .collect(Collectors.toSet());
          if (!suspects.isEmpty()) {
            String taskId = rows.get(0).key().taskId();
            findings.attempt(
                repair.nameOf(jobId, taskId),
                () -> takeAway(jobId, taskId, suspects, now, findings));
          }
        });
  }

  private static boolean belongs(ListedTrigger row, @Nullable ListedJob job) {
    return job != null
        && job.taskId().equals(row.key().taskId())
        && job.version() == row.jobVersion()
        && (job.state() == JobState.ACTIVE
            || (job.state() == JobState.PAUSED && row.key().isExtra()));
  }

  private record TakenAway(int rows, int ends, Cause why, boolean hasFeedback) {}

  private void takeAway(
      long jobId, String taskId, Set<Long> suspects, long now, ReconcileReport findings) {
    String name = repair.nameOf(jobId, taskId);
    TakenAway taken =
        repair.inTransaction(
            "triggers of " + name, () -> takeAwayOnce(jobId, taskId, suspects, now));
    if (taken.rows() > 0) {
      findings.repaired(
          Inconsistency.TRIGGER_WITHOUT_JOB,
          taken.rows(),
          "%s: %d triggers waited although %s; they were deleted, and %d of them recorded as ended"
              .formatted(name, taken.rows(), CauseWords.english(taken.why()), taken.ends()));
    }
    if (taken.hasFeedback()) {
      repair.signals().feedbackStored();
    }
  }

  /** Once the job's row is locked, no edit changes the job: a stray stays a stray. */
  private TakenAway takeAwayOnce(long jobId, String taskId, Set<Long> suspects, long now) {
    JobDefinition job = repair.lock(jobId).filter(found -> isOfTask(found, taskId)).orElse(null);
    List<WaitingTrigger> strays =
        stores.waiting().findByTask(repair.group(), taskId).stream()
            .filter(row -> suspects.contains(row.id()) && isStray(row, job))
            .toList();
    List<Long> rowIds = strays.stream().map(WaitingTrigger::id).toList();
    if (stores.waiting().delete(repair.group(), rowIds) != rowIds.size()) {
      throw new RaceLostException("a trigger of " + repair.nameOf(jobId, taskId) + " was claimed");
    }
    List<TriggerCompletion> ends = new ArrayList<>();
    for (WaitingTrigger stray : strays) {
      repair.ids().observe(stray.id());
      end(stray, job, now).ifPresent(ends::add);
    }
    boolean hasFeedback = recorder.record(ends, now);
    return new TakenAway(strays.size(), ends.size(), why(job), hasFeedback);
  }

  private boolean isOfTask(JobDefinition job, String taskId) {
    return job.nodeGroup().equals(repair.group()) && job.taskId().equals(taskId);
  }

  /**
   * Whether a trigger is a stray. Runs on request continue while their job is paused, and also
   * after it has finished, unless they still need a turn, which a finished job no longer gives.
   */
  private static boolean isStray(WaitingTrigger row, @Nullable JobDefinition job) {
    if (job == null || job.version() != row.jobVersion()) {
      return true;
    }
    return switch (job.state()) {
      case ACTIVE -> false;
      case PAUSED -> !row.key().isExtra();
      case FINISHED ->
          !row.key().isExtra()
              || (job.spec().overlapPolicy().isExclusive() && !row.begun() && !row.isHeld());
      case CANCELLED -> true;
    };
  }

  /**
   * An edit deletes triggers planned for later without recording an end, and so does this. A
   * trigger restored by a backup may have ended long ago.
   */
  private Optional<TriggerCompletion> end(
      WaitingTrigger stray, @Nullable JobDefinition job, long now) {
    boolean vanishes =
        job != null && job.version() != stray.jobVersion() && stray.plannedFor() > now;
    if (vanishes || hasEnded(stray)) {
      return Optional.empty();
    }
    TriggerSpec spec = stray.specUnder(job == null ? unknown() : job.spec());
    LedgerStatus status =
        job != null && job.state() == JobState.PAUSED
            ? LedgerStatus.SKIPPED
            : LedgerStatus.CANCELLED;
    return Optional.of(
        TriggerCompletion.ofWaiting(
            repair.ids().next(now), repair.group(), stray, spec, status, why(job), now));
  }

  private boolean hasEnded(WaitingTrigger stray) {
    long plannedFor = stray.plannedFor();
    return stores
        .ledger()
        .endedTriggers(stray.jobId(), plannedFor - 1, plannedFor)
        .contains(stray.key());
  }

  /** The spec if the job is gone: its requester, settings and client group are unknown. */
  private static TriggerSpec unknown() {
    return new TriggerSpec(null, RetryPolicy.NONE, false, false, "", "", "");
  }

  private static Cause why(@Nullable JobDefinition job) {
    if (job == null) {
      return Cause.of(CauseCode.JOB_GONE);
    }
    return switch (job.state()) {
      case ACTIVE -> Cause.of(CauseCode.JOB_EDITED);
      case PAUSED -> Cause.of(CauseCode.JOB_PAUSED);
      case FINISHED, CANCELLED -> Cause.of(CauseCode.JOB_ENDED);
    };
  }
}
