package io.millrace.jobtracker.domain.phrase;

import java.text.MessageFormat;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.Set;

/**
 * The phrases of one language, by key, as in its catalogue: patterns of {@link MessageFormat} in a
 * UTF-8 properties file beside the class that uses them. The catalogues of all languages have the
 * same keys. Immutable and thread-safe.
 */
public class Phrases {
  private static final String ONE = ".one";
  private static final String MANY = ".many";

  /** Never another language than the one asked for, and never classes. */
  private static final ResourceBundle.Control ONE_LANGUAGE =
      ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES);

  private final Locale language;
  private final ResourceBundle patterns;

  /**
   * Reads a catalogue, for example {@code facts_en.properties}. It is a resource bundle, which the
   * JDK loads as it loads classes.
   *
   * @param speaker the class beside which the catalogue lies
   * @param name of the catalogue, without the language
   * @throws java.util.MissingResourceException if there is no catalogue of the language
   */
  public Phrases(Class<?> speaker, String name, Locale language) {
    String bundle = speaker.getPackageName() + "." + name;
    this.language = language;
    this.patterns =
        ResourceBundle.getBundle(bundle, language, speaker.getClassLoader(), ONE_LANGUAGE);
  }

  /** The language, for the names of months and weekdays and for the phrases of others. */
  public Locale language() {
    return language;
  }

  /** The phrase of a key with its placeholders filled, each with the argument as a string. */
  public String say(String key, Object... arguments) {
    return MessageFormat.format(
        pattern(key), Arrays.stream(arguments).map(String::valueOf).toArray());
  }

  /** The singular or plural phrase: of the key with {@code .one} or {@code .many} added. */
  public String sayFor(long number, String key, Object... arguments) {
    return say(key + (number == 1 ? ONE : MANY), arguments);
  }

  /** Items as a list. */
  public String list(List<String> items) {
    return String.join(say("list.separator"), items);
  }

  /** Joins sentences; leaves out empty ones. */
  public String sentences(String... sentences) {
    return String.join(
        say("sentence.separator"),
        Arrays.stream(sentences).filter(sentence -> !sentence.isEmpty()).toList());
  }

  /**
   * The pattern of a key.
   *
   * @throws java.util.MissingResourceException if there is none; names the key
   */
  String pattern(String key) {
    return patterns.getString(key);
  }

  /** The keys of the catalogue. */
  Set<String> keys() {
    return Set.copyOf(patterns.keySet());
  }
}
