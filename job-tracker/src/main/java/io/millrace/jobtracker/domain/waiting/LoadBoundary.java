package io.millrace.jobtracker.domain.waiting;

import io.millrace.jobtracker.domain.trigger.Ranked;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How far, in one order, memory is known to hold what the store holds. Behind it the store may hold
 * rows that are not in memory; what is taken into memory there would overtake them. Not
 * thread-safe.
 */
final class LoadBoundary {
  private final Comparator<Ranked> order;

  /** Null: memory holds all. */
  private @Nullable SortKey known = SortKey.START;

  /** How far the load under way may tell: what was left out meanwhile it may not have seen. */
  private @Nullable SortKey leftOut;

  LoadBoundary(Comparator<Ranked> order) {
    this.order = order;
  }

  /** Whether the store may hold rows that are not in memory. */
  boolean isOpen() {
    return known != null;
  }

  /** Whether nothing is known yet. */
  boolean isAtStart() {
    return SortKey.START.equals(known);
  }

  /** Up to where, if it is open. */
  @Nullable SortKey known() {
    return known;
  }

  /** Whether no row that is in the store alone sorts before this one. */
  boolean covers(Ranked row) {
    return known == null || order.compare(row, known) <= 0;
  }

  /** A row that the store holds has left memory, or was not taken in. */
  void leaveOut(Ranked row) {
    SortKey before = SortKey.before(row);
    known = first(known, before);
    leftOut = first(leftOut, before);
  }

  /** A load begins: what is left out from now on it may not see. */
  void beginLoad() {
    leftOut = null;
  }

  /**
   * A load has ended.
   *
   * @param readUpTo the last that it has read; null if there was no more
   * @return whether it tells less than that, because of what was left out meanwhile
   */
  boolean endLoad(@Nullable SortKey readUpTo) {
    known = first(readUpTo, leftOut);
    leftOut = null;
    return !Objects.equals(known, readUpTo);
  }

  /**
   * A load has ended that looked behind the frontier of another order only, and moves this one
   * nowhere but back.
   *
   * @param readUpTo the last that it has read; null if there was no more
   */
  void endRefill(@Nullable SortKey readUpTo) {
    known = first(known, readUpTo);
    leftOut = null;
  }

  private @Nullable SortKey first(@Nullable SortKey one, @Nullable SortKey other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return order.compare(one, other) <= 0 ? one : other;
  }
}
