package io.millrace.tasktracker.internal.pull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Records the state of every slot: free, reserved by an open pull, or running an execution. The
 * places beyond the slots count in the same way: an execution that waits for a slot counts as
 * running here. The three numbers always add up to the capacity, even if answers are late, missing
 * or out of order. If the capacity shrinks below the number of reserved and running slots, the
 * number of free slots is negative.
 *
 * <p>Not thread-safe.
 */
final class SlotAccounting {
  private final int slots;
  private int beyondSlots;
  private final TreeMap<Long, Integer> reservedByPull = new TreeMap<>();

  /** For each answered pull, the newer pull to which its slots were carried. */
  private final TreeMap<Long, Long> carriedByPull = new TreeMap<>();

  private int free;
  private int running;
  private long lastNumber;

  /**
   * Creates the accounting of a worker whose slots are all free.
   *
   * @param lastNumber the number before that of the first pull
   */
  SlotAccounting(int slots, long lastNumber) {
    if (slots < 1) {
      throw new IllegalArgumentException("slots must be at least 1: " + slots);
    }
    this.slots = slots;
    this.free = slots;
    this.lastNumber = lastNumber;
  }

  /** Sets how many executions may wait for a slot. */
  void setBeyondSlots(int executions) {
    free += executions - beyondSlots;
    beyondSlots = executions;
  }

  /** Opens a pull that reserves all free slots and returns its number. */
  long openWithFreeSlots() {
    int reserved = Math.max(0, free);
    free -= reserved;
    return open(reserved);
  }

  /** Opens a pull that reserves nothing and returns its number. */
  long openHeartbeat() {
    return open(0);
  }

  private long open(int reserved) {
    reservedByPull.put(++lastNumber, reserved);
    return lastNumber;
  }

  /**
   * Closes a pull by its answer. Slots of older open pulls may run executions in the answer to a
   * newer pull, because the tracker may have carried these slots over before the older answer has
   * arrived here.
   *
   * @param assigned how many executions of the answer are to be started
   * @param carriedTo the newer pull to which the unassigned slots now belong; they become free if
   *     it is null or not open
   * @return how many of the executions may start, now counted as running; 0 if the pull is not open
   */
  int answered(long number, int assigned, @Nullable Long carriedTo) {
    Integer reserved = reservedByPull.remove(number);
    if (reserved == null) {
      return 0;
    }
    int started = Math.min(assigned, reserved);
    int unassigned = reserved - started;
    Long heir = heirOf(number, carriedTo);
    if (heir == null) {
      free += unassigned;
    } else {
      reservedByPull.merge(heir, unassigned, Integer::sum);
    }
    forgetSettledCarries();
    started += borrowFromOlder(number, assigned - started);
    running += started;
    return started;
  }

  /**
   * Returns the open pull to which the slots of this pull were carried, also through pulls whose
   * answers have overtaken its own; null if there is none.
   */
  private @Nullable Long heirOf(long number, @Nullable Long carriedTo) {
    if (carriedTo == null || carriedTo <= number) {
      return null;
    }
    carriedByPull.put(number, carriedTo);
    Long heir = carriedTo;
    while (heir != null && !reservedByPull.containsKey(heir)) {
      heir = carriedByPull.get(heir);
    }
    return heir;
  }

  /**
   * Removes carries that are no longer needed. A carry is needed only while an older pull is open,
   * because the slots of that pull may have been carried the same way.
   */
  private void forgetSettledCarries() {
    if (reservedByPull.isEmpty()) {
      carriedByPull.clear();
    } else {
      carriedByPull.headMap(reservedByPull.firstKey()).clear();
    }
  }

  /**
   * Borrows slots from older pulls, newest first: the older a pull is, the fewer pulls it can
   * borrow from itself.
   */
  private int borrowFromOlder(long number, int wanted) {
    int borrowed = 0;
    for (Map.Entry<Long, Integer> older :
        reservedByPull.headMap(number, false).descendingMap().entrySet()) {
      int part = Math.min(wanted - borrowed, older.getValue());
      older.setValue(older.getValue() - part);
      borrowed += part;
    }
    return borrowed;
  }

  /** Closes a pull without an answer: its slots become free. Returns false if it was not open. */
  boolean giveUp(long number) {
    Integer reserved = reservedByPull.remove(number);
    if (reserved == null) {
      return false;
    }
    free += reserved;
    return true;
  }

  /** Gives up every open pull. */
  void giveUpAll() {
    reservedByPull.values().forEach(reserved -> free += reserved);
    reservedByPull.clear();
  }

  /** Records that an execution has ended and its slot is free. */
  void ended() {
    if (running == 0) {
      throw new IllegalStateException("no execution uses a slot");
    }
    running--;
    free++;
  }

  boolean isOpen(long number) {
    return reservedByPull.containsKey(number);
  }

  /** Returns the numbers of the open pulls in ascending order. */
  List<Long> openPulls() {
    return new ArrayList<>(reservedByPull.keySet());
  }

  /** Returns the number of the newest pull, or before the first pull the number before it. */
  long lastNumber() {
    return lastNumber;
  }

  /** Returns the number of slots and of executions that may wait for one. */
  int capacity() {
    return slots + beyondSlots;
  }

  int free() {
    return free;
  }

  int reserved() {
    return reservedByPull.values().stream().mapToInt(Integer::intValue).sum();
  }

  int reservedBy(long number) {
    return reservedByPull.getOrDefault(number, 0);
  }

  int running() {
    return running;
  }
}
