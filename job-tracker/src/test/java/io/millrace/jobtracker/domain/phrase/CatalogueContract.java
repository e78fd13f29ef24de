package io.millrace.jobtracker.domain.phrase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The catalogue of every language says the same things of the same things. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class CatalogueContract {
  private static final int MOST_PLACES = 6;

  private final Class<?> speaker;
  private final String name;
  private final boolean counts;
  private final Phrases english;
  private final Phrases chinese;

  /**
   * @param speaker the class beside which the catalogue lies
   * @param name of the catalogue, without language and ending
   */
  protected CatalogueContract(Class<?> speaker, String name) {
    this(speaker, name, true);
  }

  /**
   * Reads a catalogue in both languages.
   *
   * @param speaker the class beside which the catalogue lies
   * @param name of the catalogue, without language and ending
   * @param counts whether it says things of one and of many
   */
  protected CatalogueContract(Class<?> speaker, String name, boolean counts) {
    this.speaker = speaker;
    this.name = name;
    this.counts = counts;
    this.english = read(Locale.ENGLISH);
    this.chinese = read(Locale.CHINESE);
  }

  /** The catalogue in a language. */
  protected final Phrases read(Locale language) {
    return new Phrases(speaker, name, language);
  }

  protected final Set<String> keys() {
    return english.keys();
  }

  List<Phrases> phrases() {
    return List.of(english, chinese);
  }

  @Test
  void everyLanguageHasTheSameKeys() {
    assertThat(chinese.keys()).isNotEmpty().containsExactlyInAnyOrderElementsOf(english.keys());
  }

  @Test
  void everyPhraseHasTheSamePlacesInEveryLanguage() {
    for (String key : english.keys()) {
      assertThat(places(chinese.say(key, markers())))
          .as(key)
          .isEqualTo(places(english.say(key, markers())));
    }
  }

  /** A lone apostrophe begins a quotation, which hides the places behind it. */
  @ParameterizedTest
  @MethodSource("phrases")
  void noPlaceIsLost(Phrases phrases) {
    for (String key : phrases.keys()) {
      assertThat(phrases.say(key, markers())).as(key).doesNotContain("{", "}", "''");
      assertThat(phrases.pattern(key).replace("''", "")).as(key).doesNotContain("'");
    }
  }

  @ParameterizedTest
  @MethodSource("phrases")
  void whatIsSaidOfOneIsSaidOfMany(Phrases phrases) {
    Set<String> ofOne = counted(phrases, ".one");
    assertThat(ofOne).isEqualTo(counted(phrases, ".many"));
    assertThat(ofOne.isEmpty()).isNotEqualTo(counts);
  }

  private static Set<String> counted(Phrases phrases, String ending) {
    return phrases.keys().stream()
        .filter(key -> key.endsWith(ending))
        .map(key -> key.substring(0, key.length() - ending.length()))
        .collect(Collectors.toSet());
  }

  private static Object[] markers() {
    return IntStream.range(0, MOST_PLACES).mapToObj(place -> "<" + place + ">").toArray();
  }

  private static Set<Integer> places(String said) {
    return IntStream.range(0, MOST_PLACES)
        .filter(place -> said.contains("<" + place + ">"))
        .boxed()
        .collect(Collectors.toSet());
  }
}
