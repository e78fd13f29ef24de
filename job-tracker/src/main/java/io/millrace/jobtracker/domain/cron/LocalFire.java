package io.millrace.jobtracker.domain.cron;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A fire time of a cron expression as the clocks of its zone show it. Immutable and thread-safe.
 *
 * @param at the fire time
 * @param local the same instant, as the clocks show it
 * @param note how a change of the clocks affects it, such as {@code 02:30 does not exist: clocks go
 *     from 02:00 to 03:00}; null if none does
 */
public record LocalFire(Instant at, OffsetDateTime local, @Nullable String note) {

  /**
   * One fire time of the expression in the zone, as {@link CronExpression#nextAfter} returned it.
   *
   * @param language of the note: Chinese for a Chinese locale, otherwise English
   */
  public static LocalFire of(CronExpression expression, ZoneId zone, Instant at, Locale language) {
    CronWords words = CronWords.of(language);
    ZoneRules rules = zone.getRules();
    OffsetDateTime local = OffsetDateTime.ofInstant(at, zone);
    ZoneOffsetTransition overlap = rules.getTransition(local.toLocalDateTime());
    String note =
        overlap == null
            ? noteOnGap(expression, rules, at, words)
            : noteOnOverlap(overlap, at, words);
    return new LocalFire(at, local, note);
  }

  /** The fire time, the local time and the note, if there is one, with two spaces between them. */
  @Override
  public String toString() {
    String shown = DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(local);
    return at + "  " + shown + (note == null ? "" : "  " + note);
  }

  private static String noteOnOverlap(ZoneOffsetTransition overlap, Instant at, CronWords words) {
    String pass = at.isBefore(overlap.getInstant()) ? "overlap.first" : "overlap.second";
    return words.say(pass, span(overlap.getDuration().abs(), words));
  }

  private static String span(Duration length, CronWords words) {
    if (length.equals(Duration.ofHours(1))) {
      return words.say("span.hour");
    }
    return length.toSecondsPart() == 0
        ? words.say("span.minutes", length.toMinutes())
        : words.say("span.seconds", length.toSeconds());
  }

  private static @Nullable String noteOnGap(
      CronExpression expression, ZoneRules rules, Instant at, CronWords words) {
    ZoneOffsetTransition last = rules.previousTransition(at.plusNanos(1));
    if (last == null || !last.isGap() || !last.getInstant().equals(at)) {
      return null;
    }
    List<LocalDateTime> missing = expression.timesMovedOutOf(last);
    return missing.isEmpty()
        ? null
        : words.sayFor(
            missing.size(),
            "gap",
            missing.get(0).toLocalTime(),
            missing.size() - 1,
            last.getDateTimeBefore().toLocalTime(),
            last.getDateTimeAfter().toLocalTime());
  }
}
