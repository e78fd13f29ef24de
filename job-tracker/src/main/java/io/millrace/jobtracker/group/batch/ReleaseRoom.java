package io.millrace.jobtracker.group.batch;

import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.ReleaseWindow;
import io.millrace.jobtracker.store.batch.BatchStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Shares the largest window among a run and all runs below it: so a part that is split into many
 * adds to what waits no more than another part. Batches that have no room wait for it here, as many
 * as are worth remembering; the search finds the others. Not thread-safe.
 */
final class ReleaseRoom {
  private static final int MOST_WAITING = 10_000;

  private final BatchStore store;

  /** How many parts live below a root, as it was counted in this run. */
  private final Map<Long, Integer> live = new HashMap<>();

  /** The roots of batches without room; the last one made is the first to get some. */
  private final TreeMap<Long, Long> waiting = new TreeMap<>(Comparator.reverseOrder());

  ReleaseRoom(BatchStore store) {
    this.store = store;
  }

  /**
   * Begins a run of the task: parts have ended since the one before.
   *
   * @return batches that waited and may find room now, a few of each root
   */
  List<Long> begin() {
    live.clear();
    Map<Long, Integer> turns = new HashMap<>();
    List<Long> next = new ArrayList<>();
    waiting.forEach(
        (id, root) -> {
          int left = turns.computeIfAbsent(root, it -> left(it) / ReleaseWindow.AT_ONCE);
          if (left > 0) {
            next.add(id);
            turns.put(root, left - 1);
          }
        });
    next.forEach(waiting::remove);
    return next;
  }

  /** How many parts of a batch may be released now; one that has no room is remembered. */
  int of(Batch batch) {
    if (batch.ancestry().parent() == null && batch.partsBelow() == 0) {
      return ReleaseWindow.MOST;
    }
    int left = left(batch.ancestry().root());
    if (left == 0 && waiting.size() < MOST_WAITING) {
      waiting.put(batch.id(), batch.ancestry().root());
    }
    return left;
  }

  private int left(long root) {
    return Math.max(0, ReleaseWindow.MOST - live.computeIfAbsent(root, store::countLive));
  }

  /** Parts of a batch were released. */
  void taken(Batch batch, int parts) {
    live.computeIfPresent(batch.ancestry().root(), (root, before) -> before + parts);
  }
}
