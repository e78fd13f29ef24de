package io.millrace.jobtracker.domain.schedule;

import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.cron.CronExpression;
import io.millrace.jobtracker.domain.cron.InvalidScheduleException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Resolves schedules as {@link FireTimes#of} does, with the same answers. It parses equal cron
 * texts once, and computes the fire times of equal texts in one zone once per window, however many
 * jobs have them. Bounded: the least recently used entries are dropped and computed again when
 * needed. Thread-safe.
 */
public final class FireTimesCache {
  /** The most weight held, in numbers of eight bytes: 16 MiB. */
  static final int MAX_WEIGHT = 2 << 20;

  /** The weight of an expression without its fire times. */
  private static final int EXPRESSION_WEIGHT = 128;

  private static final long LONGEST_LOOK_BACK = 300;

  private final ZoneId defaultZone;
  private final long lookBack;
  private final long length;
  private final int maxWeight;
  private final Map<Key, CronFireTimes> crons = new LinkedHashMap<>(16, 0.75f, true);
  private int weight;

  private record Key(String text, ZoneId zone) {}

  /**
   * @param defaultZone the zone of a cron expression that names none
   * @param limits how far plans look back and ahead
   */
  public FireTimesCache(ZoneId defaultZone, GenerationLimits limits) {
    this(defaultZone, limits, MAX_WEIGHT);
  }

  FireTimesCache(ZoneId defaultZone, GenerationLimits limits, int maxWeight) {
    this.defaultZone = defaultZone;
    this.lookBack = Math.min(limits.misfireThreshold().toSeconds() + 1, LONGEST_LOOK_BACK);
    this.length = limits.window().toSeconds() + 1;
    this.maxWeight = maxWeight;
  }

  /**
   * Resolves a valid schedule (see {@link ScheduleValidator}).
   *
   * @param schedule when the job fires
   * @param acceptedAt when the tracker accepted this version of the job
   * @param now results are fastest for times around it; for other times they are computed, and
   *     equally right
   * @throws InvalidScheduleException if a cron text is malformed
   */
  public FireTimes of(Schedule schedule, Instant acceptedAt, Instant now) {
    long second = now.getEpochSecond();
    return FireTimes.of(
        schedule, acceptedAt, defaultZone, (text, zone) -> cron(text, zone, second));
  }

  /** Computes outside the lock; in the worst case two threads compute the same window. */
  private CronFireTimes cron(String text, ZoneId zone, long now) {
    Key key = new Key(text, zone);
    CronFireTimes known = find(key);
    if (known != null && known.window().isGoodAt(now, lookBack)) {
      return known;
    }
    CronFireTimes before = known == null ? CronFireTimes.of(text, zone) : known;
    CronExpression expression = before.expression();
    CronWindow window = before.window().next(expression, zone, now, lookBack, length);
    CronFireTimes around = new CronFireTimes(expression, zone, window);
    keep(key, around);
    return around;
  }

  private synchronized @Nullable CronFireTimes find(Key key) {
    return crons.get(key);
  }

  private synchronized void keep(Key key, CronFireTimes cron) {
    CronFireTimes before = crons.put(key, cron);
    weight += weightOf(cron) - (before == null ? 0 : weightOf(before));
    Iterator<CronFireTimes> eldest = crons.values().iterator();
    while (weight > maxWeight) {
      weight -= weightOf(eldest.next());
      eldest.remove();
    }
  }

  private static int weightOf(CronFireTimes cron) {
    return EXPRESSION_WEIGHT + cron.window().size();
  }

  /** The weight held, in numbers of eight bytes. */
  synchronized int weight() {
    return weight;
  }
}
