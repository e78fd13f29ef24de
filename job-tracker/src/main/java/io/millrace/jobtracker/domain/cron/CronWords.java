package io.millrace.jobtracker.domain.cron;

import io.millrace.jobtracker.domain.phrase.Phrases;
import io.millrace.jobtracker.domain.phrase.Translations;
import java.util.List;
import java.util.Locale;

/**
 * The words of one language for the meaning of a cron expression and for the effect of clock
 * changes on it: the catalogue {@code cron_*.properties}. Immutable and thread-safe.
 */
final class CronWords {
  private static final Translations<CronWords> WORDS = Translations.of(CronWords::new);

  private final Locale language;
  private final Phrases phrases;

  private CronWords(Locale language) {
    this.language = language;
    this.phrases = Phrases.read(CronWords.class, "cron", language);
  }

  /** The words of a language: Chinese for a Chinese locale, otherwise English. */
  static CronWords of(Locale language) {
    return WORDS.in(language);
  }

  /** The language itself, for the names of months and weekdays. */
  Locale language() {
    return language;
  }

  /** The phrase of a key with its placeholders filled. */
  String say(String key, Object... arguments) {
    return phrases.say(key, arguments);
  }

  /** The singular or plural phrase of a key with its placeholders filled. */
  String sayFor(long number, String key, Object... arguments) {
    return phrases.sayFor(number, key, arguments);
  }

  /** A list of items that all apply; at least one. */
  String list(List<String> items) {
    int last = items.size() - 1;
    return last == 0
        ? items.get(0)
        : say("list.last", phrases.list(items.subList(0, last)), items.get(last));
  }
}
