package io.millrace.jobtracker.domain.waiting;

import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Due triggers in two lanes: the timely lane holds triggers that were in memory before they fell
 * due, the backlog lane holds all others. The first trigger of all goes first. If the first
 * triggers of both lanes have the same priority, three timely ones go for each one of the backlog,
 * so that neither lane waits until the other is empty.
 *
 * <p>The lanes share a bound, in count and in bytes; a single trigger may exceed the bytes. When
 * they are full, the last trigger of all leaves. If the last triggers of both lanes have the same
 * priority, the one of the backlog leaves, unless the timely triggers hold more than three quarters
 * of the room. Not thread-safe.
 */
final class DueLanes {
  /**
   * How many timely triggers go, and have room, for each trigger of the backlog of their priority.
   */
  static final int TIMELY_FOR_ONE = 3;

  private final int maxCount;
  private final long maxBytes;
  private final PriorityOrder order;
  private final WaitingDeque timely;
  private final WaitingDeque backlog;
  private int timelyInARow;

  DueLanes(int maxCount, long maxBytes, PriorityOrder order) {
    if (maxCount < 1 || maxBytes < WaitingDeque.ROW_BYTES) {
      throw new IllegalArgumentException("the lanes must hold at least one trigger");
    }
    this.maxCount = maxCount;
    this.maxBytes = maxBytes;
    this.order = order;
    this.timely = new WaitingDeque(Integer.MAX_VALUE, Long.MAX_VALUE, order);
    this.backlog = new WaitingDeque(Integer.MAX_VALUE, Long.MAX_VALUE, order);
  }

  /** A trigger taken for a claim, and whether it comes from the timely lane. */
  record Taken(WaitingTrigger trigger, boolean isTimely) {}

  /**
   * Adds a trigger unless it is present already.
   *
   * @return the triggers that had to leave, including the one offered if there is no room for it
   */
  List<WaitingTrigger> offer(WaitingTrigger trigger, boolean isTimely) {
    if (contains(trigger.id())) {
      return List.of();
    }
    List<WaitingTrigger> none = (isTimely ? timely : backlog).offer(trigger);
    List<WaitingTrigger> left = new ArrayList<>(none);
    while (size() > maxCount || (bytes() > maxBytes && size() > 1)) {
      left.add(removeLast());
    }
    return left;
  }

  /** Removes and returns the trigger whose turn it is, or null if there is none. */
  @Nullable Taken poll() {
    WaitingTrigger first = timely.peek();
    WaitingTrigger other = backlog.peek();
    if (first == null || other == null) {
      return first == null ? taken(backlog.poll(), false) : taken(timely.poll(), true);
    }
    if (first.priority() != other.priority()) {
      boolean isTimely = order.compare(first, other) < 0;
      return taken(isTimely ? timely.poll() : backlog.poll(), isTimely);
    }
    if (timelyInARow < TIMELY_FOR_ONE) {
      timelyInARow++;
      return taken(timely.poll(), true);
    }
    timelyInARow = 0;
    return taken(backlog.poll(), false);
  }

  private static @Nullable Taken taken(@Nullable WaitingTrigger trigger, boolean isTimely) {
    return trigger == null ? null : new Taken(trigger, isTimely);
  }

  private WaitingTrigger removeLast() {
    WaitingTrigger last = timely.peekLast();
    WaitingTrigger other = backlog.peekLast();
    boolean leavesTimely =
        other == null
            || (last != null
                && (last.priority() == other.priority()
                    ? hasMoreThanItsShare()
                    : order.compare(last, other) > 0));
    WaitingTrigger leaves = leavesTimely ? last : other;
    if (leaves == null) {
      throw new IllegalStateException("no trigger exceeds the limit");
    }
    remove(leaves.id());
    return leaves;
  }

  private boolean hasMoreThanItsShare() {
    return timely.size() > (long) TIMELY_FOR_ONE * backlog.size();
  }

  /** The last trigger of the backlog, or null if there is none. */
  @Nullable WaitingTrigger lastOfBacklog() {
    return backlog.peekLast();
  }

  /** Removes the trigger of this row id and returns whether it was present. */
  boolean remove(long id) {
    return timely.remove(id) || backlog.remove(id);
  }

  boolean contains(long id) {
    return timely.contains(id) || backlog.contains(id);
  }

  int size() {
    return timely.size() + backlog.size();
  }

  /** The earliest due time in both lanes; {@link Long#MAX_VALUE} if they are empty. */
  long oldestDueAt() {
    return Math.min(timely.oldestDueAt(), backlog.oldestDueAt());
  }

  /** Bytes held, by estimate. */
  long bytes() {
    return timely.bytes() + backlog.bytes();
  }

  /**
   * About how many more triggers of the backlog fit, if they are as large as those held; at least
   * 1.
   */
  int room() {
    long weightOfOne = size() == 0 ? WaitingDeque.ROW_BYTES : bytes() / size();
    long byBytes = room(maxBytes, bytes(), backlog.bytes()) / weightOfOne;
    return (int) Math.max(1, Math.min(room(maxCount, size(), backlog.size()), byBytes));
  }

  /** The free room, or what the backlog lacks of its share, whichever is larger. */
  private static long room(long all, long held, long ofBacklog) {
    return Math.max(all - held, all / (TIMELY_FOR_ONE + 1) - ofBacklog);
  }

  /**
   * Whether the lanes are less than half full, in count and in bytes, or the backlog has less than
   * half of its share: the backlog must not wait until there are fewer timely triggers.
   */
  boolean runsLow() {
    return isBelow(size(), bytes(), 2)
        || isBelow(backlog.size(), backlog.bytes(), 2 * (TIMELY_FOR_ONE + 1));
  }

  private boolean isBelow(int count, long heldBytes, int part) {
    return count < maxCount / part && heldBytes < maxBytes / part;
  }
}
