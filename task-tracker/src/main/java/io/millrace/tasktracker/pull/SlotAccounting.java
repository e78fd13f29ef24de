package io.millrace.tasktracker.pull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where every slot is: free, reserved by an open pull, or running an execution; and what is beyond
 * the slots, which counts as they do: an execution that waits for a slot is running here. The three
 * always add up to the capacity, whatever answers come, in whatever order, late or never. When the
 * capacity has shrunk below what is reserved and running, less than nothing is free.
 *
 * <p>Not thread-safe.
 */
final class SlotAccounting {
  private final int slots;
  private int beyondSlots;
  private final TreeMap<Long, Integer> reservedByPull = new TreeMap<>();

  /** Of answered pulls: the newer pull that each one's slots were carried to. */
  private final TreeMap<Long, Long> carriedByPull = new TreeMap<>();

  private int free;
  private int running;
  private long lastNumber;

  /**
   * @param lastNumber what comes before the number of the first pull
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
   * Closes a pull by its answer. Slots of older open pulls may run what a newer one was answered,
   * because the tracker may have carried them over before the older answer has arrived here.
   *
   * @param assigned how many executions the answer wants to start
   * @param carriedTo the newer pull that the unassigned slots now belong to; they come back if
   *     there is none or it is not open
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
   * The open pull that slots of this one have come to, over answers that have overtaken its own.
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

  /** A carry matters only while an older pull is open, whose slots may have gone the same way. */
  private void forgetSettledCarries() {
    if (reservedByPull.isEmpty()) {
      carriedByPull.clear();
    } else {
      carriedByPull.headMap(reservedByPull.firstKey()).clear();
    }
  }

  /** Newest first: the older a pull is, the fewer others it could borrow from itself. */
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

  /** Closes a pull without an answer: its slots come back. Returns false if it was not open. */
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

  /** An execution has ended: its slot is free. */
  void ended() {
    if (running == 0) {
      throw new IllegalStateException("no slot is running");
    }
    running--;
    free++;
  }

  boolean isOpen(long number) {
    return reservedByPull.containsKey(number);
  }

  /** Numbers of the open pulls, rising. */
  List<Long> openPulls() {
    return new ArrayList<>(reservedByPull.keySet());
  }

  /** The number of the newest pull; the number before the first before that. */
  long lastNumber() {
    return lastNumber;
  }

  /** Slots, and what may wait for one. */
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
