package io.millrace.jobtracker.domain.schedule;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run of consecutive fire times: their count, and the latest of them in a list.
 *
 * @param count how many there are, including the kept ones
 * @param first null if there are none
 * @param lastBeforeKept the one before the kept ones; null if all are kept
 * @param kept the latest, rising
 * @param isComplete false if the run was cut off by the limit of how many are counted
 */
record FireRun(
    long count,
    @Nullable Instant first,
    @Nullable Instant lastBeforeKept,
    List<Instant> kept,
    boolean isComplete) {

  static final FireRun EMPTY = new FireRun(0, null, null, List.of(), true);

  FireRun {
    kept = List.copyOf(kept);
  }

  /** Counts by stepping from one fire time to the next. */
  static FireRun count(FireTimes times, Instant after, Instant before, int limit, int keep) {
    Instant first = null;
    Instant lastBeforeKept = null;
    Deque<Instant> kept = new ArrayDeque<>();
    Optional<Instant> next = times.nextAfter(after);
    int count = 0;
    while (next.isPresent() && next.get().isBefore(before)) {
      if (count == limit) {
        return new FireRun(count, first, lastBeforeKept, List.copyOf(kept), false);
      }
      count++;
      Instant instant = next.get();
      first = first == null ? instant : first;
      kept.add(instant);
      if (kept.size() > keep) {
        lastBeforeKept = kept.remove();
      }
      next = times.nextAfter(instant);
    }
    return new FireRun(count, first, lastBeforeKept, List.copyOf(kept), true);
  }

  /** The fire times that are not kept, as skipped; null if all are kept. */
  @Nullable SkippedRange beforeKept() {
    return first == null || lastBeforeKept == null
        ? null
        : new SkippedRange(first, lastBeforeKept, count - kept.size());
  }

  /** The last fire time; {@code other} if there are none. */
  Instant lastOr(Instant other) {
    if (!kept.isEmpty()) {
      return kept.get(kept.size() - 1);
    }
    return lastBeforeKept == null ? other : lastBeforeKept;
  }

  /** The same run, keeping only those at or after an instant. */
  FireRun keepingFrom(Instant earliest) {
    List<Instant> later = kept.stream().filter(instant -> !instant.isBefore(earliest)).toList();
    int given = kept.size() - later.size();
    return given == 0 ? this : new FireRun(count, first, kept.get(given - 1), later, isComplete);
  }
}
