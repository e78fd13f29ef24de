package io.millrace.jobtracker.domain.phrase;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.text.MessageFormat;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;

/**
 * The phrases of one language, by key, as in its catalogue: patterns of {@link MessageFormat} in a
 * UTF-8 properties file beside the class that uses them. The catalogues of all languages have the
 * same keys. Immutable and thread-safe.
 */
public final class Phrases {
  private static final String ONE = ".one";
  private static final String MANY = ".many";

  private final Map<String, String> patterns;

  private Phrases(Map<String, String> patterns) {
    this.patterns = patterns;
  }

  /**
   * Reads a catalogue, for example {@code facts_en.properties}.
   *
   * @param speaker the class beside which the catalogue lies
   * @param name of the catalogue, without the language
   */
  public static Phrases read(Class<?> speaker, String name, Locale language) {
    String file = name + "_" + language.getLanguage() + ".properties";
    Properties properties = new Properties();
    try (InputStream in =
        Objects.requireNonNull(speaker.getResourceAsStream(file), file + " is missing")) {
      properties.load(new InputStreamReader(in, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
    Map<String, String> patterns = new TreeMap<>();
    properties.stringPropertyNames().forEach(key -> patterns.put(key, properties.getProperty(key)));
    return new Phrases(patterns);
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

  /** The pattern of a key. */
  String pattern(String key) {
    return Objects.requireNonNull(patterns.get(key), () -> "there is no phrase " + key);
  }

  /** The keys of the catalogue. */
  Set<String> keys() {
    return Set.copyOf(patterns.keySet());
  }
}
