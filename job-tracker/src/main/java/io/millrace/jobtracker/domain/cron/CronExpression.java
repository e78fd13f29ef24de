package io.millrace.jobtracker.domain.cron;

import com.cronutils.model.field.CronFieldName;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
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
  private final String text;
  private final LocalTimeToInstant instants;

  private CronExpression(String text, CronFields fields) {
    this.text = text;
    this.instants =
        new LocalTimeToInstant(
            new LocalPattern(fields), fields.get(CronFieldName.HOUR).isPlainList());
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
    return instants.nextAfter(after, zone.getRules());
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

  /**
   * The local times of a gap that fire at the first instant after it; none for an interval-like
   * expression.
   */
  List<LocalDateTime> timesMovedOutOf(ZoneOffsetTransition gap) {
    return instants.timesMovedOutOf(gap);
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
