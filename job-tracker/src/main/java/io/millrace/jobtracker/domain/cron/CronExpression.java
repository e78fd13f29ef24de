package io.millrace.jobtracker.domain.cron;

import com.cronutils.model.field.CronFieldName;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A cron expression, ready to be evaluated. Immutable and thread-safe.
 *
 * <p>Five fields are a Unix expression: minute, hour, day of month, month, day of week (0 and 7 are
 * Sunday). Six or seven are a Quartz expression: second, minute, hour, day of month, month, day of
 * week (1 is Sunday) and optionally year (1970 to 9999). Also {@code @yearly}, {@code @annually},
 * {@code @monthly}, {@code @weekly}, {@code @daily}, {@code @midnight} and {@code @hourly}. Names
 * of months and weekdays are allowed, and ranges may wrap around ({@code FRI-MON}).
 *
 * <p><b>Days.</b> In a Quartz expression exactly one of the two day fields is {@code ?}, and the
 * other one decides; both may also be {@code *}. In a Unix expression with both day fields
 * restricted, a day matches if <em>either</em> does; if one of them begins with {@code *}, both
 * must match, as crontab(5) specifies. {@code 31W} matches no day in a month of 30.
 *
 * <p><b>Changes of the clock.</b> If the hour field is a list of plain numbers, the expression is
 * <em>fixed-time</em>: each listed time of a matching local day fires exactly once. A time in a gap
 * fires at the first instant after the gap (times that share a gap fire together, once), a time in
 * an overlap at the first pass. A local day that the zone skips has no fire time. With a wildcard,
 * step or range in the hour the expression is <em>interval-like</em>: every instant whose local
 * time matches fires, so both passes of an overlap fire and the times of a gap do not.
 */
public final class CronExpression {
  private static final long NONE = LocalPattern.NONE;

  /**
   * Instants are clamped to a range that exceeds the years that fire; the results stay the same.
   */
  private static final long EARLIEST = -2 * LocalPattern.SECONDS_PER_DAY;

  private static final long LATEST =
      Instant.parse("9999-12-31T00:00:00Z").getEpochSecond() - EARLIEST;

  private final String text;
  private final LocalPattern pattern;
  private final boolean fixedTime;

  private CronExpression(String text, CronFields fields) {
    this.text = text;
    this.pattern = new LocalPattern(fields);
    this.fixedTime = fields.get(CronFieldName.HOUR).isPlainList();
  }

  /**
   * Parses an expression of at most 256 characters.
   *
   * @throws InvalidScheduleException if it is malformed; names the field and its position
   */
  public static CronExpression parse(String text) {
    return new CronExpression(text, fieldsOf(text));
  }

  /**
   * The expression in words: in Chinese for a Chinese locale, otherwise in English. Describes what
   * the expression means in local time; never fails. Expressions that differ in that meaning differ
   * in words.
   */
  public String describe(Locale locale) {
    return CronDescription.of(fieldsOf(text), CronWords.of(locale));
  }

  private static CronFields fieldsOf(String text) {
    List<CronText.Part> parts = CronText.parts(text);
    return CronDialect.ofFieldCount(parts.size()).parse(parts);
  }

  /**
   * The first instant after this one, in whole seconds, at which the expression fires in the zone.
   * Empty if there is none up to the year 9999: an impossible date, or only past years.
   */
  public Optional<Instant> nextAfter(Instant after, ZoneId zone) {
    long second = Math.max(EARLIEST, Math.min(after.getEpochSecond(), LATEST));
    long next = nextAfter(second, zone.getRules());
    return next == NONE ? Optional.empty() : Optional.of(Instant.ofEpochSecond(next));
  }

  /**
   * The next fire times, each as the clocks of the zone show it, with notes in the language; {@code
   * count} of them, or fewer if there are no more.
   */
  public List<LocalFire> firesAfter(Instant after, ZoneId zone, int count, Locale language) {
    List<LocalFire> fires = new ArrayList<>();
    Optional<Instant> next = nextAfter(after, zone);
    while (next.isPresent() && fires.size() < count) {
      fires.add(LocalFire.of(this, zone, next.get(), language));
      next = nextAfter(next.get(), zone);
    }
    return fires;
  }

  private long nextAfter(long after, ZoneRules rules) {
    boolean clockChanges = !rules.isFixedOffset();
    return fixedTime && clockChanges ? nextFixedTime(after, rules) : nextMatch(after, rules);
  }

  /**
   * A local time fires when local time first reaches it. So the times at or before the furthest
   * local time reached so far are over. That is the current local time, except on the second pass
   * of an overlap.
   */
  private long nextFixedTime(long after, ZoneRules rules) {
    long local = furthestLocalTime(after, rules);
    while (true) {
      local = pattern.nextAfter(local);
      if (local == NONE) {
        return NONE;
      }
      LocalDateTime time = LocalDateTime.ofEpochSecond(local, 0, ZoneOffset.UTC);
      List<ZoneOffset> offsets = rules.getValidOffsets(time);
      if (!offsets.isEmpty()) {
        return local - offsets.get(0).getTotalSeconds();
      }
      ZoneOffsetTransition gap = rules.getTransition(time);
      if (!isDayThatNeverWas(time.toLocalDate(), gap)) {
        return gap.toEpochSecond();
      }
      local = endOfDay(time.toLocalDate());
    }
  }

  private static boolean isDayThatNeverWas(LocalDate day, ZoneOffsetTransition gap) {
    return !gap.getDateTimeBefore().isAfter(day.atStartOfDay())
        && !gap.getDateTimeAfter().isBefore(day.plusDays(1).atStartOfDay());
  }

  private static long endOfDay(LocalDate day) {
    return day.plusDays(1).toEpochDay() * LocalPattern.SECONDS_PER_DAY - 1;
  }

  /**
   * The local times of a gap that fire at the first instant after it; none for an interval-like
   * expression.
   */
  List<LocalDateTime> timesMovedOutOf(ZoneOffsetTransition gap) {
    List<LocalDateTime> moved = new ArrayList<>();
    long end = gap.getDateTimeAfter().toEpochSecond(ZoneOffset.UTC);
    long local = gap.getDateTimeBefore().toEpochSecond(ZoneOffset.UTC) - 1;
    while (fixedTime) {
      local = pattern.nextAfter(local);
      if (local == NONE || local >= end) {
        return moved;
      }
      LocalDateTime time = LocalDateTime.ofEpochSecond(local, 0, ZoneOffset.UTC);
      if (isDayThatNeverWas(time.toLocalDate(), gap)) {
        local = endOfDay(time.toLocalDate());
      } else {
        moved.add(time);
      }
    }
    return moved;
  }

  private static long furthestLocalTime(long instant, ZoneRules rules) {
    long local = instant + offsetAt(instant, rules);
    LocalDateTime time = LocalDateTime.ofEpochSecond(local, 0, ZoneOffset.UTC);
    ZoneOffsetTransition change = rules.getTransition(time);
    if (change != null && change.isOverlap() && instant >= change.toEpochSecond()) {
      return change.getDateTimeBefore().toEpochSecond(ZoneOffset.UTC) - 1;
    }
    return local;
  }

  /**
   * Steps from one change of the zone's offset to the next; between them the offset is constant.
   */
  private long nextMatch(long after, ZoneRules rules) {
    long from = after;
    int offset = offsetAt(after, rules);
    ZoneOffsetTransition change = rules.nextTransition(Instant.ofEpochSecond(after));
    while (true) {
      long local = pattern.nextAfter(from + offset);
      if (change == null) {
        return local == NONE ? NONE : local - offset;
      }
      if (local != NONE && local - offset < change.toEpochSecond()) {
        return local - offset;
      }
      if (local == NONE && !change.isOverlap()) {
        return NONE;
      }
      from = change.toEpochSecond() - 1;
      offset = change.getOffsetAfter().getTotalSeconds();
      change = rules.nextTransition(change.getInstant());
    }
  }

  private static int offsetAt(long instant, ZoneRules rules) {
    return rules.getOffset(Instant.ofEpochSecond(instant)).getTotalSeconds();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CronExpression that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** The text it was read from. */
  @Override
  public String toString() {
    return text;
  }
}
