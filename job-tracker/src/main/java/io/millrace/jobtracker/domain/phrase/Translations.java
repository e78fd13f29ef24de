package io.millrace.jobtracker.domain.phrase;

import java.util.Locale;
import java.util.function.Function;

/**
 * The same texts in each language that has catalogues. Immutable; thread-safe if the texts are.
 *
 * @param english the texts in English
 * @param chinese the texts in Chinese
 */
public record Translations<T>(T english, T chinese) {

  /**
   * Makes the texts of each language.
   *
   * @param maker makes the texts of one language, such as {@link Phrases}
   */
  public static <T> Translations<T> of(Function<Locale, T> maker) {
    return new Translations<>(maker.apply(Locale.ENGLISH), maker.apply(Locale.CHINESE));
  }

  /** The texts in a language: Chinese for a Chinese locale, otherwise English. */
  public T in(Locale language) {
    return language.getLanguage().equals(Locale.CHINESE.getLanguage()) ? chinese : english;
  }
}
