package io.millrace.jobtracker.submit.change;

import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.batch.RunStopper;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.RaceLostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/**
 * Executes clients' requests to change stored jobs, each in one transaction, which is repeated if
 * it loses a race. The answer and the signals are sent after the commit. Thread-safe.
 */
public final class JobChanges {
  private final Stores stores;
  private final TimedExecutor time;
  private final Signals signals;
  private final RunStopper stopper;

  public JobChanges(Stores stores, TimedExecutor time, Signals signals, RunStopper stopper) {
    this.stores = stores;
    this.time = time;
    this.signals = signals;
    this.stopper = stopper;
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

  /** Stops what is below the runs that a change stopped; returns all that were stopped. */
  List<Long> withThoseBelow(String group, List<Long> stopped) {
    List<Long> all = new ArrayList<>(stopped);
    all.addAll(stopper.stopBelow(group, stopped, time.clock().millis()));
    return all;
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
    if (!done.stopped().isEmpty()) {
      signals.stopRequested(group, withThoseBelow(group, done.stopped()));
      signals.batchesChanged(group);
    }
    if (done.hasFeedback()) {
      signals.feedbackStored();
    }
    return done.answer();
  }
}
