package io.millrace.jobtracker.domain.waiting;

import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The triggers of one node group that wait for the worker of their key, while others have free
 * slots. They wait for as long as that worker has had a free slot within {@link #PATIENCE_MILLIS},
 * and only up to a number of them: the preference must not hold up the others. In the head they are
 * in a claim. Times are monotonic milliseconds. Not thread-safe.
 */
public final class StickyWaits {
  /** How long a worker may have had no free slot. */
  public static final long PATIENCE_MILLIS = 2_000;

  private static final Comparator<WaitingTrigger> ORDER =
      Comparator.comparingInt(WaitingTrigger::priority)
          .thenComparingLong(WaitingTrigger::dueAt)
          .thenComparingLong(WaitingTrigger::id);

  private final int most;
  private final Map<String, Long> lastFree = new HashMap<>();
  private final Map<String, TreeSet<WaitingTrigger>> aside = new HashMap<>();
  private int count;

  /**
   * @param most how many triggers may wait
   */
  public StickyWaits(int most) {
    this.most = most;
  }

  /**
   * The worker of a key: the one with the highest rank by a hash of the key and the worker. If a
   * worker goes, only its keys move; if one comes, it takes over its share of the keys and no
   * others move.
   *
   * @return null if there is no worker
   */
  public static @Nullable String choose(String key, Collection<String> workers) {
    return workers.stream()
        .max(
            Comparator.comparingLong((String worker) -> rank(key, worker))
                .thenComparing(Comparator.naturalOrder()))
        .orElse(null);
  }

  /** FNV-1a of both, and a finish that lets each bit depend on all. */
  private static long rank(String key, String worker) {
    long hash = 0xcbf29ce484222325L;
    String both = key + '\n' + worker;
    for (int i = 0; i < both.length(); i++) {
      hash = (hash ^ both.charAt(i)) * 0x100000001b3L;
    }
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return hash ^ (hash >>> 33);
  }

  /** Records that a worker has a free slot, or had one until now. */
  public void hadSlot(String worker, long now) {
    lastFree.put(worker, now);
  }

  /** Sets a trigger aside for its worker; false if it is not to wait any longer. */
  public boolean setAside(WaitingTrigger trigger, String worker, long now) {
    if (count >= most || isBusyForLong(worker, now)) {
      return false;
    }
    if (aside.computeIfAbsent(worker, id -> new TreeSet<>(ORDER)).add(trigger)) {
      count++;
    }
    return true;
  }

  private boolean isBusyForLong(String worker, long now) {
    Long free = lastFree.get(worker);
    return free == null || now - free >= PATIENCE_MILLIS;
  }

  public boolean isEmpty() {
    return count == 0;
  }

  /** Removes and returns the first triggers that wait for a worker, at most this many. */
  public List<Long> release(String worker, int atMost) {
    List<Long> released = new ArrayList<>();
    TreeSet<WaitingTrigger> waiting = aside.get(worker);
    while (waiting != null && !waiting.isEmpty() && released.size() < atMost) {
      released.add(waiting.pollFirst().id());
      count--;
    }
    if (waiting != null && waiting.isEmpty()) {
      aside.remove(worker);
    }
    return released;
  }

  /** Removes and returns the triggers whose worker has had no free slot for too long. */
  public List<Long> releaseOverdue(long now) {
    List<Long> released = new ArrayList<>();
    for (String worker : List.copyOf(aside.keySet())) {
      if (isBusyForLong(worker, now)) {
        released.addAll(release(worker, Integer.MAX_VALUE));
      }
    }
    return released;
  }

  /** Removes a worker that is gone, and returns the triggers that waited for it. */
  public List<Long> forget(String worker) {
    lastFree.remove(worker);
    return release(worker, Integer.MAX_VALUE);
  }
}
