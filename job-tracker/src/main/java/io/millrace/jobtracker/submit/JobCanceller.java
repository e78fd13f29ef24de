package io.millrace.jobtracker.submit;

import io.millrace.common.model.CancelResult;
import io.millrace.common.protocol.CancelRequest;
import io.millrace.common.time.Clock;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.JobDefinition;
import io.millrace.jobtracker.domain.trigger.JobState;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.signal.Signals;
import io.millrace.jobtracker.store.RaceLostException;
import io.millrace.jobtracker.store.Stores;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Cancels the living job of a key, in one transaction: nothing of it is claimed after the commit,
 * and what is executing gets no further attempt. Thread-safe.
 */
final class JobCanceller {
  private final Stores stores;
  private final JobTakeback takeback;
  private final Executor executor;
  private final Signals signals;
  private final Clock clock;

  JobCanceller(
      Stores stores, JobTakeback takeback, Executor executor, Signals signals, Clock clock) {
    this.stores = stores;
    this.takeback = takeback;
    this.executor = executor;
    this.signals = signals;
    this.clock = clock;
  }

  private record Cancelled(CancelResult result, List<Long> running, boolean hasFeedback) {
    static final Cancelled NOTHING = new Cancelled(new CancelResult(false, 0, 0), List.of(), false);
  }

  /** Cancels; the answer leaves after the commit. */
  CompletableFuture<CancelResult> cancel(CancelRequest request) {
    return CompletableFuture.supplyAsync(() -> cancelNow(request), executor);
  }

  private CancelResult cancelNow(CancelRequest request) {
    String group = request.nodeGroup();
    if (stores.nodeGroups().find(group).isEmpty()) {
      return Cancelled.NOTHING.result();
    }
    Cancelled cancelled =
        RaceLostException.retrying(
            () ->
                stores
                    .transactions()
                    .inTransaction(
                        "cancel " + group + "/" + request.taskId(),
                        () -> cancelOnce(group, request.taskId())));
    signals.stopRequested(group, cancelled.running());
    if (cancelled.hasFeedback()) {
      signals.feedbackStored();
    }
    return cancelled.result();
  }

  private Cancelled cancelOnce(String group, String taskId) {
    long now = clock.millis();
    Optional<JobDefinition> job =
        stores.jobs().find(group, taskId).filter(found -> found.state().isLive());
    return job.isPresent() ? cancelJob(group, job.get(), now) : cancelOneShot(group, taskId, now);
  }

  private Cancelled cancelJob(String group, JobDefinition job, long now) {
    if (!stores.jobs().replace(job.ended(JobState.CANCELLED), job.version())) {
      throw new RaceLostException("job " + job.id() + " changed meanwhile");
    }
    JobTakeback.TakenBack taken = takeback.takeBackTriggers(group, job, "cancelled", now);
    List<Long> running = stop(group, job.taskId());
    return new Cancelled(
        new CancelResult(true, taken.rows(), running.size()), running, taken.hasFeedback());
  }

  /**
   * A one-shot moves between the two tables while this looks; so the table it moves to is asked
   * after the one it comes from, round and round, until one of them has it.
   */
  private Cancelled cancelOneShot(String group, String taskId, long now) {
    for (int round = 0; round < 3; round++) {
      List<WaitingTrigger> waiting = stores.waiting().findOneShots(group, List.of(taskId));
      if (!waiting.isEmpty()) {
        boolean told = takeback.cancelWaiting(group, waiting, "cancelled", now);
        return new Cancelled(new CancelResult(true, waiting.size(), 0), List.of(), told);
      }
      List<Long> running = stop(group, taskId);
      if (!running.isEmpty()) {
        return new Cancelled(new CancelResult(true, 0, running.size()), running, false);
      }
    }
    return Cancelled.NOTHING;
  }

  private List<Long> stop(String group, String taskId) {
    if (stores.executing().requestStop(group, taskId) == 0) {
      return List.of();
    }
    return stores.executing().findByTasks(group, List.of(taskId)).stream()
        .map(Execution::id)
        .toList();
  }
}
