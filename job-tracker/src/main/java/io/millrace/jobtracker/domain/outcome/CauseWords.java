package io.millrace.jobtracker.domain.outcome;

import io.millrace.jobtracker.domain.phrase.Phrases;
import io.millrace.jobtracker.domain.phrase.Translations;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Puts causes into words of one language. Immutable and thread-safe. */
public final class CauseWords {
  private static final Translations<CauseWords> WORDS = Translations.of(CauseWords::new);

  private final Phrases phrases;

  private CauseWords(Locale language) {
    this.phrases = new Phrases(CauseWords.class, "causes", language);
  }

  /** The words of a language: Chinese for a Chinese locale, otherwise English. */
  public static CauseWords of(Locale language) {
    return WORDS.in(language);
  }

  /** A cause in English; null if there is none. */
  public static @Nullable String english(@Nullable Cause cause) {
    return say(cause, Locale.ENGLISH);
  }

  /** A cause in a language; null if there is none. */
  public static @Nullable String say(@Nullable Cause cause, Locale language) {
    return cause == null ? null : of(language).say(cause);
  }

  /** A cause in words, with those that add to it. */
  public String say(Cause cause) {
    List<String> words = new ArrayList<>();
    for (Cause next = cause; next != null; next = next.further()) {
      words.add(phrases.say(next.code().name(), next.arguments().toArray()));
    }
    return phrases.list(words);
  }
}
