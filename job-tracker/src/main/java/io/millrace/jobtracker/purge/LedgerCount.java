package io.millrace.jobtracker.purge;

import io.millrace.jobtracker.store.LedgerStore;
import java.util.OptionalLong;

/**
 * Finds the excess rows of the ledger by counting down from the newest row, a portion at a time.
 * Rows added meanwhile are not counted, so it may find too few excess rows, but never too many.
 */
final class LedgerCount {
  private final LedgerStore ledger;
  private final long maxRows;
  private final int portion;
  private long counted;
  private OptionalLong reached = OptionalLong.of(Long.MAX_VALUE);

  LedgerCount(LedgerStore ledger, long maxRows, int portion) {
    this.ledger = ledger;
    this.maxRows = maxRows;
    this.portion = portion;
  }

  /** Whether the count is complete. */
  boolean isOver() {
    return reached.isEmpty() || counted == maxRows;
  }

  void countOn() {
    int rows = (int) Math.min(portion, maxRows - counted);
    reached = ledger.idBelow(reached.orElseThrow(), rows);
    counted += rows;
  }

  /**
   * The lowest id to keep: all rows with a lower id are excess; empty if there is no excess. Valid
   * once {@link #isOver} is true.
   */
  OptionalLong lowestKept() {
    return reached;
  }

  void restart() {
    counted = 0;
    reached = OptionalLong.of(Long.MAX_VALUE);
  }
}
