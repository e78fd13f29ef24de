package io.millrace.jobtracker.submit.change;

import io.millrace.jobtracker.batch.RunStopper.Stopped;
import io.millrace.jobtracker.domain.batch.BatchProgress;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * The result of one transaction: the answer, and the signals to send to other services after the
 * commit.
 *
 * @param earliestDueAt the time at which the first of the stored triggers falls due, in epoch
 *     milliseconds; {@link #NO_TRIGGER} if none was stored
 * @param stopped what was asked to stop
 * @param batches progress of runs that have further parts, by the ids of their batches
 * @param hasFeedback whether there is feedback to push
 * @param tookEffect whether the store contains the change; called in another transaction if the
 *     outcome of this one is unknown. If the change is missing, it is executed again
 */
record Change<T>(
    T answer,
    long earliestDueAt,
    Stopped stopped,
    Map<Long, BatchProgress> batches,
    boolean hasFeedback,
    BooleanSupplier tookEffect) {
  static final long NO_TRIGGER = Long.MAX_VALUE;

  /** A change that adds no parts to a run. */
  Change(
      T answer,
      long earliestDueAt,
      Stopped stopped,
      boolean hasFeedback,
      BooleanSupplier tookEffect) {
    this(answer, earliestDueAt, stopped, Map.of(), hasFeedback, tookEffect);
  }

  /** An answer without a change, or with a change that needs no signal and may be repeated. */
  static <T> Change<T> none(T answer) {
    return new Change<>(answer, NO_TRIGGER, Stopped.NOTHING, false, () -> false);
  }
}
