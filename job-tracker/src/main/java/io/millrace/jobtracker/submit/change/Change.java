package io.millrace.jobtracker.submit.change;

import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * What one transaction did: the answer, and what to tell other rooms after the commit.
 *
 * @param earliestDueAt when the first of the triggers stored falls due, in epoch milliseconds;
 *     {@link #NO_TRIGGER} if none was stored
 * @param stopped executions that were asked to stop
 * @param hasFeedback whether there is feedback to push
 * @param tookEffect whether the store shows the change, asked in another transaction when the
 *     outcome of this one is unknown; if not, it is carried out again
 */
public record Change<T>(
    T answer,
    long earliestDueAt,
    List<Long> stopped,
    boolean hasFeedback,
    BooleanSupplier tookEffect) {
  static final long NO_TRIGGER = Long.MAX_VALUE;

  /**
   * An answer that goes with no change, or with one that concerns nobody else and may be made
   * again.
   */
  static <T> Change<T> none(T answer) {
    return new Change<>(answer, NO_TRIGGER, List.of(), false, () -> false);
  }
}
