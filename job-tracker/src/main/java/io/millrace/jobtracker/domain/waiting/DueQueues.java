package io.millrace.jobtracker.domain.waiting;

import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Due triggers in two queues: the timely queue holds triggers that were in memory before they fell
 * due, the backlog queue holds all others. The first trigger of all goes first. If the first
 * triggers of both queues have the same priority, three timely ones go for each one of the backlog,
 * so that neither queue waits until the other is empty.
 *
 * <p>The queues share a {@link MemoryEviction}. When they are full, the last trigger of all is
 * evicted. If the last triggers of both queues have the same priority, the one of the backlog is
 * evicted, unless the timely triggers hold more than three quarters of the room. Not thread-safe.
 */
final class DueQueues implements MemoryEviction.Evictable {
  /**
   * How many timely triggers go, and have room, for each trigger of the backlog of their priority.
   */
  static final int TIMELY_FOR_ONE = 3;

  private final MemoryEviction limit;
  private final PriorityOrder order;
  private final WaitingDeque timely;
  private final WaitingDeque backlog;
  private int timelyInARow;

  DueQueues(MemoryEviction limit, PriorityOrder order) {
    this.limit = limit;
    this.order = order;
    this.timely = new WaitingDeque(MemoryEviction.NONE, order);
    this.backlog = new WaitingDeque(MemoryEviction.NONE, order);
  }

  /** A trigger taken for a claim, and whether it comes from the timely queue. */
  record Taken(WaitingTrigger trigger, boolean isTimely) {}

  /**
   * Adds a trigger unless it is present already.
   *
   * @return the triggers that were evicted, including the one offered if there is no room for it
   */
  List<WaitingTrigger> offer(WaitingTrigger trigger, boolean isTimely) {
    if (contains(trigger.id())) {
      return List.of();
    }
    List<WaitingTrigger> unused = (isTimely ? timely : backlog).offer(trigger);
    return limit.evict(this);
  }

  /** The trigger whose turn it is, or null if there is none. */
  @Nullable WaitingTrigger peek() {
    return isTurnOfTimely() ? timely.peek() : backlog.peek();
  }

  /** Removes and returns the trigger whose turn it is, or null if there is none. */
  @Nullable Taken poll() {
    boolean isTimely = isTurnOfTimely();
    WaitingTrigger first = timely.peek();
    WaitingTrigger other = backlog.peek();
    if (first != null && other != null && first.priority() == other.priority()) {
      timelyInARow = isTimely ? timelyInARow + 1 : 0;
    }
    return taken(isTimely ? timely.poll() : backlog.poll(), isTimely);
  }

  private boolean isTurnOfTimely() {
    WaitingTrigger first = timely.peek();
    WaitingTrigger other = backlog.peek();
    if (first == null || other == null) {
      return first != null;
    }
    return first.priority() == other.priority()
        ? timelyInARow < TIMELY_FOR_ONE
        : order.compare(first, other) < 0;
  }

  private static @Nullable Taken taken(@Nullable WaitingTrigger trigger, boolean isTimely) {
    return trigger == null ? null : new Taken(trigger, isTimely);
  }

  @Override
  public WaitingTrigger removeLast() {
    WaitingTrigger last = timely.peekLast();
    WaitingTrigger other = backlog.peekLast();
    boolean isTimely =
        other == null
            || (last != null
                && (last.priority() == other.priority()
                    ? hasMoreThanItsShare()
                    : order.compare(last, other) > 0));
    WaitingTrigger evicted = isTimely ? last : other;
    if (evicted == null) {
      throw new IllegalStateException("no trigger exceeds the limit");
    }
    remove(evicted.id());
    return evicted;
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

  @Override
  public int size() {
    return timely.size() + backlog.size();
  }

  /** The earliest due time in both queues; {@link Long#MAX_VALUE} if they are empty. */
  long oldestDueAt() {
    return Math.min(timely.oldestDueAt(), backlog.oldestDueAt());
  }

  @Override
  public long bytes() {
    return timely.bytes() + backlog.bytes();
  }

  /**
   * About how many more triggers of the backlog fit, if they are as large as those held; at least
   * 1.
   */
  int room() {
    long weightOfOne = size() == 0 ? WaitingDeque.ROW_BYTES : bytes() / size();
    long byBytes = room(limit.maxBytes(), bytes(), backlog.bytes()) / weightOfOne;
    return (int) Math.max(1, Math.min(room(limit.maxCount(), size(), backlog.size()), byBytes));
  }

  /** The free room, or what the backlog lacks of its share, whichever is larger. */
  private static long room(long all, long held, long ofBacklog) {
    return Math.max(all - held, all / (TIMELY_FOR_ONE + 1) - ofBacklog);
  }

  /**
   * Whether the queues are less than half full, in count and in bytes, or the backlog has less than
   * half of its share: the backlog must not wait until there are fewer timely triggers.
   */
  boolean runsLow() {
    return limit.isFilledBelow(size(), bytes(), 2)
        || limit.isFilledBelow(backlog.size(), backlog.bytes(), 2 * (TIMELY_FOR_ONE + 1));
  }
}
