package io.millrace.jobtracker.group.preload;

import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.domain.waiting.Backlog;
import io.millrace.jobtracker.domain.waiting.WaitingHeads;
import io.millrace.jobtracker.domain.waiting.WaitingHeads.LaneHead;
import io.millrace.jobtracker.store.WaitingStore;
import io.millrace.jobtracker.store.WaitingStore.Level;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Returns the backlog of one node group: from memory if memory holds all of it, otherwise from the
 * store, counted up to a bound. So a million waiting rows cost no more than as many as the bound.
 * Thread-safe.
 */
public final class BacklogReader {
  private final String group;
  private final WaitingStore waiting;
  private final WaitingHeads heads;

  public BacklogReader(String group, WaitingStore waiting, WaitingHeads heads) {
    this.group = group;
    this.waiting = waiting;
    this.heads = heads;
  }

  /** The triggers that are due now. */
  public Backlog read(long now) {
    return heads.backlog(now).orElseGet(() -> readStore(now));
  }

  /** How many triggers are due now in each lane but the plain one, up to a bound. */
  public Map<Lane, Long> readLanes(long now) {
    Map<Lane, Long> due = new LinkedHashMap<>();
    for (LaneHead lane : heads.all()) {
      int number = lane.lane().number();
      if (number > 0) {
        due.put(
            lane.lane(),
            lane.head()
                .backlog(now)
                .map(Backlog::due)
                .orElseGet(() -> waiting.countDue(group, number, now, Backlog.MOST_COUNTED)));
      }
    }
    return due;
  }

  private Backlog readStore(long now) {
    long due = waiting.countDue(group, now, Backlog.MOST_COUNTED);
    return due == 0 ? Backlog.NONE : new Backlog(due, oldestDueAt());
  }

  /** Costs one index step for each priority that has rows. */
  private long oldestDueAt() {
    long oldest = Long.MAX_VALUE;
    Optional<Level> level = waiting.nextLevel(group, -1);
    while (level.isPresent()) {
      oldest = Math.min(oldest, level.get().earliestDueAt());
      level = waiting.nextLevel(group, level.get().number());
    }
    return oldest;
  }
}
