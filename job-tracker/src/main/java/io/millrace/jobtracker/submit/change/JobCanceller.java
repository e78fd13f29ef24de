package io.millrace.jobtracker.submit.change;

import io.millrace.api.CancelResult;
import io.millrace.internal.model.job.JobRules;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.RelayEpoch;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobtracker.batch.RunStopper;
import io.millrace.jobtracker.batch.RunStopper.Stopped;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.JobVersion.Author;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.submit.job.LockedJobs;
import io.millrace.jobtracker.submit.job.NewVersions;
import io.millrace.jobtracker.submit.job.TriggerWithdrawal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * Cancels the live job of a key in one transaction: no trigger of it is claimed after the commit,
 * and executions under way get no further attempt. Thread-safe.
 */
public final class JobCanceller {
  private static final CancelResult NOTHING = new CancelResult(false, 0, 0);

  private final Stores stores;
  private final LockedJobs locked;
  private final TriggerWithdrawal takeback;
  private final RunStopper stopper;
  private final JobChanges changes;

  public JobCanceller(
      Stores stores,
      LockedJobs locked,
      TriggerWithdrawal takeback,
      RunStopper stopper,
      JobChanges changes) {
    this.stores = stores;
    this.locked = locked;
    this.takeback = takeback;
    this.stopper = stopper;
    this.changes = changes;
  }

  /**
   * Cancels a job. The answer is sent after the commit. A cancel of a relay fails as OUTDATED if a
   * later request of that relay has been answered, whatever the answer was.
   */
  public CompletableFuture<CancelResult> cancel(Peer client, CancelRequest request) {
    Author by = NewVersions.authorOf(client);
    String group = request.nodeGroup();
    String taskId = request.taskId();
    RelayEpoch relay = request.relay();
    if (JobRules.isReserved(taskId)) {
      return CompletableFuture.failedFuture(
          new RpcException(
              ErrorCode.BAD_REQUEST,
              taskId + " is the task id of parts of a run: cancel the job, or terminate the run"));
    }
    if (relay == null) {
      return changes.carryOut(
          "cancel", group, taskId, NOTHING, now -> cancelOnce(by, request, now));
    }
    String fault = relay.fault();
    return fault == null
        ? changes.carryOut("cancel", group, taskId, now -> cancelRelayed(relay, by, request, now))
        : CompletableFuture.failedFuture(new RpcException(ErrorCode.BAD_REQUEST, fault));
  }

  /** The row of the relay is written first: cancels of one relay follow one another. */
  private Change<CancelResult> cancelRelayed(
      RelayEpoch relay, Author by, CancelRequest request, long now) {
    String group = request.nodeGroup();
    if (!stores.relays().record(relay.relay(), relay.epoch(), now)) {
      throw new RpcException(
          ErrorCode.OUTDATED,
          "the cancel of %s/%s has epoch %d, and a later request of relay %s has been answered"
              .formatted(group, request.taskId(), relay.epoch(), relay.relay()));
    }
    return stores.nodeGroups().find(group).isEmpty()
        ? Change.none(NOTHING)
        : cancelOnce(by, request, now);
  }

  private Change<CancelResult> cancelOnce(Author by, CancelRequest request, long now) {
    Optional<JobDefinition> job =
        locked.find(request.nodeGroup(), request.taskId()).filter(found -> found.state().isLive());
    if (job.isEmpty()) {
      return cancelOneShot(request, now);
    }
    return request.means(job.get().id(), job.get().version())
        ? cancelJob(request.nodeGroup(), job.get(), by, now)
        : Change.none(NOTHING);
  }

  private Change<CancelResult> cancelJob(String group, JobDefinition job, Author by, long now) {
    NewVersions versions = new NewVersions();
    TriggerWithdrawal.TakenBack taken =
        takeback.cancel(
            group,
            job,
            TriggerWithdrawal.Reason.CANCELLED,
            new TriggerWithdrawal.End(by, versions),
            now);
    JobDefinition cancelled = job.ended(JobState.CANCELLED);
    Stopped stopped = stopper.cancel(group, job.taskId(), now);
    versions.write(stores.versions());
    return cancelled(taken.rows(), stopped, taken.hasFeedback(), () -> locked.shows(cancelled));
  }

  /**
   * Finds a one-shot that may move between the waiting and the executing table meanwhile. It reads
   * both tables in turn, at most three times, until one of them contains it.
   */
  private Change<CancelResult> cancelOneShot(CancelRequest request, long now) {
    String group = request.nodeGroup();
    String taskId = request.taskId();
    for (int round = 0; round < 3; round++) {
      List<WaitingTrigger> waiting = stores.waiting().findOneShots(group, List.of(taskId));
      if (!waiting.isEmpty() && !request.means(waiting.get(0).jobId(), 0)) {
        return Change.none(NOTHING);
      }
      if (!waiting.isEmpty()) {
        boolean hasFeedback =
            takeback.takeBackOneShots(group, waiting, TriggerWithdrawal.Reason.CANCELLED, now);
        return cancelled(
            waiting.size(), Stopped.NOTHING, hasFeedback, () -> isTakenBack(group, waiting.get(0)));
      }
      Stopped running =
          meansWhatRuns(request) ? stopper.cancel(group, taskId, now) : Stopped.NOTHING;
      if (running.runs() > 0) {
        // A repeated stop request does no harm.
        return cancelled(0, running, false, () -> false);
      }
    }
    return Change.none(NOTHING);
  }

  /** Reads the runs only for a cancel that says which job it means. */
  private boolean meansWhatRuns(CancelRequest request) {
    return request.jobId() == null
        || stores.runs().findByTasks(request.nodeGroup(), List.of(request.taskId())).stream()
            .anyMatch(run -> request.means(run.jobId(), 0));
  }

  /**
   * Whether the row was withdrawn: it is gone, and the ledger has a CANCELLED end of its job. A
   * claim deletes the row too, but leaves an execution, or the end of one, under another id.
   */
  private boolean isTakenBack(String group, WaitingTrigger row) {
    return !stores.waiting().lock(group, row.id())
        && stores.ledger().findByJob(row.jobId()).stream()
            .anyMatch(end -> end.status() == LedgerStatus.CANCELLED);
  }

  private static Change<CancelResult> cancelled(
      int rows, Stopped running, boolean hasFeedback, BooleanSupplier tookEffect) {
    CancelResult answer = new CancelResult(true, rows, running.runs());
    return new Change<>(answer, Change.NO_TRIGGER, running, hasFeedback, tookEffect);
  }
}
