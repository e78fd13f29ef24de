package io.millrace.jobtracker.domain.waiting;

import io.millrace.jobtracker.domain.trigger.Ranked;
import java.time.Duration;
import java.util.Comparator;

/**
 * The order in which due triggers are handed out. It is total and does not depend on the current
 * time: what is sorted once stays sorted.
 *
 * <p>Strict: by priority, then due time, then id. With ageing a trigger gains one level for each
 * duration that it has waited since it was due, evenly and without end. Two waiting triggers gain
 * at the same rate, so their order is fixed from the start: first comes the one with the lower sum
 * of its due time and one duration for each level of its priority. Among triggers of one priority,
 * both orders are the order of the due times. Immutable.
 */
public final class PriorityOrder implements Comparator<Ranked> {
  /** Lower priorities wait until no higher one is due. */
  public static final PriorityOrder STRICT = new PriorityOrder(0);

  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(365);

  /** How long a trigger waits to gain one level; 0 in the strict order. */
  private final long millisPerLevel;

  private PriorityOrder(long millisPerLevel) {
    this.millisPerLevel = millisPerLevel;
  }

  /**
   * An order in which triggers age.
   *
   * @param perLevel how long a trigger waits for one level, 1 ms to 365 days
   */
  public static PriorityOrder ageing(Duration perLevel) {
    if (perLevel.compareTo(SHORTEST) < 0 || perLevel.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a priority level must be worth 1 ms to 365 days of waiting, not " + perLevel);
    }
    return new PriorityOrder(perLevel.toMillis());
  }

  /** Whether every trigger of a priority goes before those of the next priority. */
  public boolean isStrict() {
    return millisPerLevel == 0;
  }

  @Override
  public int compare(Ranked one, Ranked other) {
    if (!isStrict()) {
      int byAge = Long.compare(agedDueAt(one), agedDueAt(other));
      if (byAge != 0) {
        return byAge;
      }
    }
    int byPriority = Integer.compare(one.priority(), other.priority());
    if (byPriority != 0) {
      return byPriority;
    }
    int byDueTime = Long.compare(one.dueAt(), other.dueAt());
    return byDueTime != 0 ? byDueTime : Long.compare(one.id(), other.id());
  }

  /**
   * The place behind which those rows of one priority begin that sort behind a given place; no row
   * has to be at the returned place. Call it only for a priority that has such rows.
   */
  public SortKey behind(Ranked place, int priority) {
    if (priority == place.priority()) {
      return SortKey.of(place);
    }
    if (isStrict()) {
      return new SortKey(priority, Long.MIN_VALUE, Long.MAX_VALUE);
    }
    long sameAge = agedDueAt(place) - priority * millisPerLevel;
    return new SortKey(
        priority, priority < place.priority() ? sameAge : sameAge - 1, Long.MAX_VALUE);
  }

  /** The due time at which a trigger of priority 0 would have the same rank. */
  private long agedDueAt(Ranked trigger) {
    return trigger.dueAt() + trigger.priority() * millisPerLevel;
  }

  @Override
  public String toString() {
    return isStrict() ? "strict" : "ageing by a level in " + millisPerLevel + " ms";
  }
}
