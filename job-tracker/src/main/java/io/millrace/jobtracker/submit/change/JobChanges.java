package io.millrace.jobtracker.submit.change;

import io.millrace.common.time.TimedExecutor;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.RaceLostException;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/**
 * Carries out what clients ask for of a stored job: each request in one transaction, which is
 * repeated if it loses a race; the answer and the signals leave after the commit. Thread-safe.
 */
public final class JobChanges {
  private final Stores stores;
  private final TimedExecutor time;
  private final Signals signals;

  public JobChanges(Stores stores, TimedExecutor time, Signals signals) {
    this.stores = stores;
    this.time = time;
    this.signals = signals;
  }

  /**
   * Carries out a change of a job.
   *
   * @param verb what it does, for logs
   * @param unknown the answer if there is no such node group: asking does not bring one into being
   * @param change given the time in epoch milliseconds; runs in the transaction, perhaps repeatedly
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
    signals.stopRequested(group, done.stopped());
    if (done.hasFeedback()) {
      signals.feedbackStored();
    }
    return done.answer();
  }
}
