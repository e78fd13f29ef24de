package io.millrace.jobtracker.domain.phrase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The catalogues of all languages say the same things of the same things. */
class CataloguesTest {
  private static final String ROOT = "/io/millrace/jobtracker/";
  private static final int MOST_PLACES = 6;

  static List<String> catalogues() {
    return List.of(ROOT + "domain/explain/facts", ROOT + "console/api/schedules");
  }

  static Stream<Phrases> phrases() {
    return catalogues().stream()
        .flatMap(name -> Stream.of(read(name, Locale.ENGLISH), read(name, Locale.CHINESE)));
  }

  private static Phrases read(String name, Locale language) {
    return Phrases.read(CataloguesTest.class, name, language);
  }

  @ParameterizedTest
  @MethodSource("catalogues")
  void everyLanguageHasTheSameKeys(String name) {
    assertThat(read(name, Locale.CHINESE).keys())
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(read(name, Locale.ENGLISH).keys());
  }

  @ParameterizedTest
  @MethodSource("catalogues")
  void everyPhraseHasTheSamePlacesInEveryLanguage(String name) {
    Phrases english = read(name, Locale.ENGLISH);
    Phrases chinese = read(name, Locale.CHINESE);
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
    assertThat(ofOne).isNotEmpty().isEqualTo(counted(phrases, ".many"));
  }

  private static Set<String> counted(Phrases phrases, String ending) {
    return phrases.keys().stream()
        .filter(key -> key.endsWith(ending))
        .map(key -> key.substring(0, key.length() - ending.length()))
        .collect(Collectors.toSet());
  }

  @Test
  void aKeyWithoutPhraseIsNamed() {
    assertThatThrownBy(() -> read(catalogues().get(0), Locale.ENGLISH).say("no.such.key"))
        .hasMessageContaining("no.such.key");
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
