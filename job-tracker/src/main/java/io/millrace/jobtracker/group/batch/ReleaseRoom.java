package io.millrace.jobtracker.group.batch;

import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.ReleaseWindow;
import io.millrace.jobtracker.store.batch.BatchStore;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Shares the largest window among a run and all runs below it: so a part that is split into many
 * adds to what waits no more than another part. Not thread-safe.
 */
final class ReleaseRoom {
  /** The most batches that are remembered; others are found by the next search. */
  private static final int MOST_WAITING = 1_000;

  private final BatchStore store;
  private final Map<Long, Integer> live = new HashMap<>();
  private final Set<Long> waiting = new HashSet<>();

  ReleaseRoom(BatchStore store) {
    this.store = store;
  }

  /** Forgets what was counted before: parts have ended since. */
  void begin() {
    live.clear();
  }

  /** Batches that had no room, each of them once. */
  Set<Long> waiting() {
    Set<Long> taken = Set.copyOf(waiting);
    waiting.clear();
    return taken;
  }

  /** How many parts of a batch may be released now; one that has no room is remembered. */
  int of(Batch batch) {
    if (batch.ancestry().parent() == null && batch.partsBelow() == 0) {
      return ReleaseWindow.MOST;
    }
    int left = ReleaseWindow.MOST - live.computeIfAbsent(batch.ancestry().root(), store::countLive);
    if (left > 0) {
      return left;
    }
    if (waiting.size() < MOST_WAITING) {
      waiting.add(batch.id());
    }
    return 0;
  }

  /** Parts of a batch were released. */
  void taken(Batch batch, int parts) {
    live.computeIfPresent(batch.ancestry().root(), (root, before) -> before + parts);
  }
}
