package io.millrace.jobtracker.purge;

import io.millrace.jobtracker.store.LedgerStore;
import java.util.OptionalLong;

/**
 * Finds which rows of the ledger are more than it may have, by counting down from the newest, a
 * portion at a time. Rows added meanwhile are not counted, so it finds too few of them rather than
 * too many.
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

  /** Whether it is known which rows are too many. */
  boolean isOver() {
    return reached.isEmpty() || counted == maxRows;
  }

  void countOn() {
    int rows = (int) Math.min(portion, maxRows - counted);
    reached = ledger.idBelow(reached.orElseThrow(), rows);
    counted += rows;
  }

  /** All rows with a lower id are too many; empty if there are not so many. Known when over. */
  OptionalLong lowestKept() {
    return reached;
  }

  void restart() {
    counted = 0;
    reached = OptionalLong.of(Long.MAX_VALUE);
  }
}
