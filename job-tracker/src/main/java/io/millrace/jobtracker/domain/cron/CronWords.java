package io.millrace.jobtracker.domain.cron;

import io.millrace.jobtracker.domain.phrase.Phrases;
import io.millrace.jobtracker.domain.phrase.Translations;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The words of one language for the meaning of a cron expression and for the effect of clock
 * changes on it: the catalogue {@code cron_*.properties}. Immutable and thread-safe.
 */
final class CronWords extends Phrases {
  private static final Translations<CronWords> WORDS = Translations.of(CronWords::new);

  private static final Pattern WHERE_CHINESE_AND_NUMBERS_MEET =
      Pattern.compile("(?<=\\p{IsHan})(?=[\\d\"])|(?<=[\\d\"])(?=\\p{IsHan})");

  private CronWords(Locale language) {
    super(CronWords.class, "cron", language);
  }

  /** The words of a language: Chinese for a Chinese locale, otherwise English. */
  static CronWords of(Locale language) {
    return WORDS.in(language);
  }

  /** A text with a space wherever Chinese and a number meet. */
  String spaced(String text) {
    return WHERE_CHINESE_AND_NUMBERS_MEET.matcher(text).replaceAll(" ");
  }

  /** A list of items that all apply; at least one. */
  @Override
  public String list(List<String> items) {
    int last = items.size() - 1;
    return last == 0
        ? items.get(0)
        : say("list.last", super.list(items.subList(0, last)), items.get(last));
  }
}
