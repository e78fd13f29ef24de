package io.millrace.jobtracker.submit.change;

import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.batch.PartWithdrawal;
import io.millrace.jobtracker.batch.RunStopper.Stopped;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.RaceLostException;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/**
 * Executes clients' requests to change stored jobs, each in one transaction, which is repeated if
 * it loses a race. The answer and the signals are sent after the commit. Thread-safe.
 */
public final class JobChanges {
  private final Stores stores;
  private final PartWithdrawal withdrawal;
  private final TimedExecutor time;
  private final Signals signals;

  public JobChanges(Stores stores, PartWithdrawal withdrawal, TimedExecutor time, Signals signals) {
    this.stores = stores;
    this.withdrawal = withdrawal;
    this.time = time;
    this.signals = signals;
  }

  /**
   * Executes a change of a job.
   *
   * @param verb the name of the change, for logs
   * @param unknown the answer if the node group does not exist; the request does not create it
   * @param change receives the time in epoch milliseconds; runs in the transaction, possibly more
   *     than once
   */
  <T> CompletableFuture<T> carryOut(
      String verb, String group, String taskId, T unknown, LongFunction<Change<T>> change) {
    return CompletableFuture.supplyAsync(
        () ->
            stores.nodeGroups().find(group).isEmpty()
                ? unknown
                : commit(verb + " " + group + "/" + taskId, group, change),
        time.executor());
  }

  /** As the other method, for a change that itself decides what to do without the node group. */
  <T> CompletableFuture<T> carryOut(
      String verb, String group, String taskId, LongFunction<Change<T>> change) {
    return CompletableFuture.supplyAsync(
        () -> commit(verb + " " + group + "/" + taskId, group, change), time.executor());
  }

  private <T> T commit(String name, String group, LongFunction<Change<T>> change) {
    Change<T> done =
        RaceLostException.retrying(
            () ->
                stores
                    .transactions()
                    .inTransaction(
                        name,
                        () -> change.apply(time.clock().millis()),
                        made -> made.tookEffect().getAsBoolean()));
    if (done.earliestDueAt() != Change.NO_TRIGGER) {
      signals.triggersStored(group, done.earliestDueAt());
    }
    if (!done.batches().isEmpty()) {
      signals.batchesChanged(group, done.batches());
    }
    tellOfStop(group, done.stopped());
    if (done.hasFeedback()) {
      signals.feedbackStored();
    }
    return done.answer();
  }

  /** Also withdraws what waits of runs that were split: the answer leaves after that. */
  private void tellOfStop(String group, Stopped stopped) {
    if (stopped.by().isEmpty()) {
      signals.stopRequested(group, stopped.executions());
    } else if (!stopped.executions().isEmpty()) {
      signals.terminated(group, stopped.executions());
    }
    withdrawal.finish(group, stopped, time.clock().millis());
  }
}
