package io.millrace.jobtracker.group.reconcile;

import io.millrace.jobtracker.disposition.HeldTriggers;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.JobStore.ListedJob;
import io.millrace.jobtracker.store.JobStore.LockedJob;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.WaitingStore.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks that each job that lets one trigger run at a time counts its running and its held triggers
 * correctly, and that no trigger waits for a turn that is never handed on. Thread-safe.
 */
final class RunCountCheck {
  private final JobRepair repair;
  private final Stores stores;
  private final HeldTriggers heldTriggers;

  RunCountCheck(JobRepair repair) {
    this.repair = repair;
    this.stores = repair.stores();
    this.heldTriggers = new HeldTriggers(stores.jobs(), stores.waiting(), repair.ids());
  }

  void check(JobPage page, long now, ReconcileReport findings) {
    for (JobDefinition job : page.jobs()) {
      if (isSuspect(job, page)) {
        findings.attempt(repair.nameOf(job), () -> correct(job, now, findings));
      }
    }
  }

  private static boolean isSuspect(JobDefinition job, JobPage page) {
    Tally waits = page.tally(job);
    if (!job.spec().overlapPolicy().isExclusive()) {
      return waits.held() > 0;
    }
    List<Execution> executions = page.executions(job);
    ListedJob row = page.listed(job);
    int running = executions.size() + waits.begun();
    return executions.stream().anyMatch(execution -> !execution.counted())
        || row.running() != running
        || row.queued() != waits.held()
        || (running == 0 && waits.held() > 0);
  }

  /**
   * The result of a correction.
   *
   * @param miscounted the counts in the row and the actual counts, in words; null if they agreed
   * @param calledUp triggers whose turn has come
   */
  private record Corrected(@Nullable String miscounted, List<WaitingTrigger> calledUp) {
    static final Corrected NOTHING = new Corrected(null, List.of());
  }

  private void correct(JobDefinition suspect, long now, ReconcileReport findings) {
    String name = repair.nameOf(suspect);
    Corrected corrected = repair.inTransaction("turns of " + name, () -> correctOnce(suspect, now));
    if (corrected.miscounted() != null) {
      findings.repaired(Inconsistency.TURNS_MISCOUNTED, 1, name + ": " + corrected.miscounted());
    }
    int calledUp = corrected.calledUp().size();
    if (calledUp > 0) {
      findings.repaired(
          Inconsistency.TURN_NOT_HANDED_ON,
          calledUp,
          "%s: no run was in progress, and %d of its held triggers were released"
              .formatted(name, calledUp));
      repair.signals().triggersStored(repair.group(), now);
    }
  }

  /**
   * An end or deletion of a counted trigger, and a claim that takes the turn, write the job's row.
   */
  private Corrected correctOnce(JobDefinition suspect, long now) {
    LockedJob row = stores.jobs().lock(List.of(suspect.id())).get(suspect.id());
    Optional<JobDefinition> job = stores.jobs().find(suspect.id());
    if (row == null || job.isEmpty() || !row.state().isLive()) {
      return Corrected.NOTHING;
    }
    return job.get().spec().overlapPolicy().isExclusive()
        ? correctCounts(job.get(), row, now)
        : new Corrected(null, callUpAll(job.get(), row, now));
  }

  /**
   * Counts a trigger that is in both tables once: the claim of a trigger that has its turn does not
   * write the job's row, so it may move from waiting to executing between the two reads. Executions
   * are read for the count only after all are marked as counted: the end of one that was not does
   * not write the job's row either.
   */
  private Corrected correctCounts(JobDefinition job, LockedJob row, long now) {
    List<WaitingTrigger> rows =
        stores.waiting().findByTask(repair.group(), job.taskId()).stream()
            .filter(WaitingTrigger::isOfRecurringJob)
            .toList();
    boolean uncounted =
        repair.executionsOf(job).stream().anyMatch(execution -> !execution.counted());
    int unused = stores.runs().setCounted(repair.group(), job.taskId(), true);
    int held = (int) rows.stream().filter(WaitingTrigger::isHeld).count();
    int running =
        (int)
            Stream.concat(
                    rows.stream()
                        .filter(waiting -> waiting.begun() && !waiting.isHeld())
                        .map(WaitingTrigger::key),
                    repair.executionsOf(job).stream().map(Execution::key))
                .distinct()
                .count();
    LockedJob counted = new LockedJob(row.id(), row.version(), row.state(), running, held);
    String miscounted = null;
    if (uncounted || row.running() != running || row.queued() != held) {
      stores.jobs().setTurns(row.id(), running, held);
      miscounted =
          "its row counted %d running and %d held triggers%s; there are %d and %d"
              .formatted(
                  row.running(),
                  row.queued(),
                  uncounted ? ", and not every execution counted" : "",
                  running,
                  held);
    }
    return new Corrected(
        miscounted, running == 0 && held > 0 ? callUp(job, counted, now) : List.of());
  }

  private List<WaitingTrigger> callUp(JobDefinition job, LockedJob row, long now) {
    List<WaitingTrigger> called =
        heldTriggers.handOn(repair.group(), job.taskId(), row, 0, now).stream().toList();
    stores.waiting().insert(repair.group(), called);
    return called;
  }

  /** Triggers of a job that lets them run concurrently have no turn to wait for. */
  private List<WaitingTrigger> callUpAll(JobDefinition job, LockedJob row, long now) {
    List<WaitingTrigger> called = new ArrayList<>();
    List<WaitingTrigger> next;
    do {
      LockedJob free = new LockedJob(row.id(), row.version(), row.state(), 0, 1);
      next = callUp(job, free, now);
      called.addAll(next);
    } while (!next.isEmpty());
    stores.jobs().setTurns(row.id(), 0, 0);
    return called;
  }
}
