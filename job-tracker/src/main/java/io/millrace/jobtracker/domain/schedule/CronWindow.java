package io.millrace.jobtracker.domain.schedule;

import io.millrace.jobtracker.domain.cron.CronExpression;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Optional;

/**
 * The fire times of a cron expression in a zone around the present, computed once. Holds all of
 * them after {@code from} and up to the last of {@code times}, which lies beyond the window, and
 * answers for no other times. Immutable and thread-safe.
 */
final class CronWindow {
  /**
   * Enough for two windows of ten minutes and the look back, with a cron that fires every second.
   */
  static final int MAX_TIMES = 2_048;

  /** A window that covers nothing. */
  static final CronWindow EMPTY = new CronWindow(Long.MAX_VALUE, new long[0], false, 0);

  private final long from;
  private final long[] times;
  private final boolean ends;
  private final long goodUntil;

  /**
   * @param from epoch seconds
   * @param times epoch seconds, rising
   * @param ends whether nothing fires after the last of them
   * @param goodUntil from this second on, a window further ahead is needed
   */
  private CronWindow(long from, long[] times, boolean ends, long goodUntil) {
    this.from = from;
    this.times = times;
    this.ends = ends;
    this.goodUntil = goodUntil;
  }

  /** Whether this window is enough for plans made now that look back by this many seconds. */
  boolean isGoodAt(long now, long lookBack) {
    return from < now - lookBack && now < goodUntil;
  }

  /**
   * The window that follows this one. Reaches one length further than a plan made now, so that it
   * is still good for later plans; takes over what this window holds.
   *
   * @param now epoch seconds
   * @param lookBack how many seconds before now it begins, 300 at most
   * @param length how many seconds beyond now a plan looks
   */
  CronWindow next(CronExpression expression, ZoneId zone, long now, long lookBack, long length) {
    long begin = now - lookBack - 1;
    long target = now + 2 * length + 1;
    long[] known = new long[MAX_TIMES];
    int count = takeOver(begin, known);
    long last = count == 0 ? begin : known[count - 1];
    boolean over = covers(begin) && ends;
    while (!over && (count == 0 || last < target) && count < MAX_TIMES) {
      Optional<Instant> next = expression.nextAfter(Instant.ofEpochSecond(last), zone);
      over = next.isEmpty();
      if (!over) {
        last = next.get().getEpochSecond();
        known[count++] = last;
      }
    }
    return new CronWindow(
        begin, Arrays.copyOf(known, count), over, goodUntil(over, last, target, now, length));
  }

  /**
   * If the bound on fire times cuts the window short of a plan, it is good for half of what it
   * covers.
   */
  private static long goodUntil(boolean over, long last, long target, long now, long length) {
    if (over) {
      return Long.MAX_VALUE;
    }
    return last < target ? now + (last - now) / 2 : last - length - 1;
  }

  private int takeOver(long begin, long[] into) {
    if (!covers(begin)) {
      return 0;
    }
    int first = indexAfter(begin);
    int count = times.length - first;
    System.arraycopy(times, first, into, 0, count);
    return count;
  }

  /**
   * Whether the window holds the first fire time after this second, or knows that there is none.
   */
  boolean covers(long second) {
    return second >= from && (ends || (times.length > 0 && second < times[times.length - 1]));
  }

  /** The first fire time after a second that the window covers; empty if there is none. */
  Optional<Instant> nextAfter(long second) {
    int index = indexAfter(second);
    return index == times.length
        ? Optional.empty()
        : Optional.of(Instant.ofEpochSecond(times[index]));
  }

  private int indexAfter(long second) {
    int found = Arrays.binarySearch(times, second);
    return found >= 0 ? found + 1 : -found - 1;
  }

  /** How many fire times it holds. */
  int size() {
    return times.length;
  }
}
