package io.millrace.console.api;

import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.cron.CronExpression;
import io.millrace.jobtracker.domain.cron.InvalidScheduleException;
import io.millrace.jobtracker.domain.phrase.LocalInstant;
import io.millrace.jobtracker.domain.phrase.Phrases;
import io.millrace.jobtracker.domain.phrase.Translations;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes schedules in one language. Immutable and thread-safe. */
public final class ScheduleWords {
  private static final Translations<ScheduleWords> WORDS = Translations.of(ScheduleWords::new);
  private static final Pattern PART_OF_SPAN = Pattern.compile("([\\d.]+)([HMS])");

  private final Locale language;
  private final Phrases phrases;

  private ScheduleWords(Locale language) {
    this.language = language;
    this.phrases = new Phrases(ScheduleWords.class, "schedules", language);
  }

  /** Returns the descriptions in a language of {@link Languages}. */
  public static ScheduleWords of(Locale language) {
    return WORDS.in(language);
  }

  /**
   * Describes a schedule in words.
   *
   * @param zone the time zone of the schedule, by whose clocks instants are written
   */
  public String of(Schedule schedule, ZoneId zone) {
    if (schedule instanceof Schedule.Cron cron) {
      String text = phrases.say("cron", described(cron.expression()), zone);
      return bounded(text, zone, "not-before", cron.start(), null, cron.end());
    }
    if (schedule instanceof Schedule.Repeat repeat) {
      String text = phrases.say("every", span(repeat.interval()));
      return bounded(text, zone, "first", repeat.start(), repeat.times(), repeat.end());
    }
    if (schedule instanceof Schedule.FixedDelay delay) {
      String text = phrases.say("delay", span(delay.delay()));
      return bounded(text, zone, "first", delay.start(), delay.times(), delay.end());
    }
    return once((Schedule.Once) schedule, zone);
  }

  /** A note on fire times, by its key. */
  public String note(String key) {
    return phrases.say("note." + key);
  }

  private String once(Schedule.Once once, ZoneId zone) {
    String text = phrases.say("once");
    if (once.at() != null) {
      text = phrases.say("once.at", text, LocalInstant.of(once.at(), zone));
    }
    return once.after() == null ? text : phrases.say("once.after", text, span(once.after()));
  }

  private String described(String expression) {
    try {
      return CronExpression.parse(expression).describe(language);
    } catch (InvalidScheduleException e) {
      return expression;
    }
  }

  private String bounded(
      String schedule,
      ZoneId zone,
      String beginning,
      @Nullable Instant start,
      @Nullable Long times,
      @Nullable Instant end) {
    String text = schedule;
    if (start != null) {
      text = phrases.say(beginning, text, LocalInstant.of(start, zone));
    }
    if (times != null) {
      text = phrases.sayFor(times, "times", text, times);
    }
    return end == null ? text : phrases.say("until", text, LocalInstant.of(end, zone));
  }

  /** A duration in words, such as {@code 1h30m}. */
  private String span(Duration duration) {
    return PART_OF_SPAN
        .matcher(duration.toString())
        .results()
        .map(part -> phrases.say("unit." + unit(part.group(2)), part.group(1)))
        .collect(Collectors.joining(phrases.say("unit.separator")));
  }

  private static String unit(String symbol) {
    return symbol.toLowerCase(Locale.ROOT);
  }
}
