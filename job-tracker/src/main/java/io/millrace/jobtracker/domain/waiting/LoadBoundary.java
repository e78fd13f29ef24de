package io.millrace.jobtracker.domain.waiting;

import io.millrace.jobtracker.domain.trigger.Ranked;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How far, in one order, memory is known to hold all that the store holds. Behind this boundary the
 * store may hold rows that are not in memory; a row taken into memory there would overtake them.
 * Not thread-safe.
 */
final class LoadBoundary {
  private final Comparator<Ranked> order;

  /** Null if memory holds everything. */
  private @Nullable SortKey known = SortKey.START;

  /**
   * The limit of what the load under way proves: it may not have seen rows left out since it began.
   */
  private @Nullable SortKey leftOut;

  LoadBoundary(Comparator<Ranked> order) {
    this.order = order;
  }

  /** Whether the store may hold rows that are not in memory. */
  boolean isOpen() {
    return known != null;
  }

  /** Whether nothing has been loaded yet. */
  boolean isAtStart() {
    return SortKey.START.equals(known);
  }

  /** The boundary, or null if memory holds everything. */
  @Nullable SortKey known() {
    return known;
  }

  /** Whether no row that only the store holds sorts before this one. */
  boolean covers(Ranked row) {
    return known == null || order.compare(row, known) <= 0;
  }

  /** Records that a row of the store has left memory, or was not taken in. */
  void leaveOut(Ranked row) {
    SortKey before = SortKey.before(row);
    known = first(known, before);
    leftOut = first(leftOut, before);
  }

  /** Begins a load, which may not see rows that are left out from now on. */
  void beginLoad() {
    leftOut = null;
  }

  /**
   * Ends a load.
   *
   * @param readUpTo the last row that the load has read; null if the store held no more
   * @return whether the boundary is before that row, because of rows left out meanwhile
   */
  boolean endLoad(@Nullable SortKey readUpTo) {
    known = first(readUpTo, leftOut);
    leftOut = null;
    return !Objects.equals(known, readUpTo);
  }

  /**
   * Ends a load that read only behind the boundary of another order; it can move this boundary
   * back, but not forward.
   *
   * @param readUpTo the last row that the load has read; null if the store held no more
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
