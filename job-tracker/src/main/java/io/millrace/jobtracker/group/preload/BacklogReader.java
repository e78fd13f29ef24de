package io.millrace.jobtracker.group.preload;

import io.millrace.jobtracker.domain.waiting.Backlog;
import io.millrace.jobtracker.domain.waiting.WaitingHead;
import io.millrace.jobtracker.store.WaitingStore;
import io.millrace.jobtracker.store.WaitingStore.Level;
import java.util.Optional;

/**
 * Returns the backlog of one node group: from memory if memory holds all of it, otherwise from the
 * store, counted up to a bound. So a million waiting rows cost no more than as many as the bound.
 * Thread-safe.
 */
public final class BacklogReader {
  private final String group;
  private final WaitingStore waiting;
  private final WaitingHead head;

  public BacklogReader(String group, WaitingStore waiting, WaitingHead head) {
    this.group = group;
    this.waiting = waiting;
    this.head = head;
  }

  /** The triggers that are due now. */
  public Backlog read(long now) {
    return head.backlog(now).orElseGet(() -> readStore(now));
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
      level = waiting.nextLevel(group, level.get().priority());
    }
    return oldest;
  }
}
