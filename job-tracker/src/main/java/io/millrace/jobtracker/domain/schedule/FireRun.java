package io.millrace.jobtracker.domain.schedule;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run of fire times that follow one another, counted.
 *
 * @param count how many
 * @param first null if there are none
 * @param lastButOne null if there are fewer than two
 * @param last null if there are none
 * @param isComplete false if the run was cut off by the limit of how many are looked at
 */
record FireRun(
    long count,
    @Nullable Instant first,
    @Nullable Instant lastButOne,
    @Nullable Instant last,
    boolean isComplete) {

  static final FireRun EMPTY = new FireRun(0, null, null, null, true);

  /** Counts by stepping from one to the next. */
  static FireRun count(FireTimes times, Instant after, Instant before, int limit) {
    Instant first = null;
    Instant lastButOne = null;
    Instant last = null;
    Optional<Instant> next = times.nextAfter(after);
    int count = 0;
    while (next.isPresent() && next.get().isBefore(before)) {
      if (count == limit) {
        return new FireRun(count, first, lastButOne, last, false);
      }
      count++;
      lastButOne = last;
      last = next.get();
      first = first == null ? last : first;
      next = times.nextAfter(last);
    }
    return new FireRun(count, first, lastButOne, last, true);
  }

  /** The whole run as skipped; null if it is empty. */
  @Nullable SkippedRange skipped() {
    return first == null || last == null ? null : new SkippedRange(first, last, count);
  }

  /** The run without its last one as skipped; null if that leaves none. */
  @Nullable SkippedRange skippedButLast() {
    return first == null || lastButOne == null
        ? null
        : new SkippedRange(first, lastButOne, count - 1);
  }
}
