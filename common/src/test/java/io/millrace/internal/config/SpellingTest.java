package io.millrace.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingTest {

  @ParameterizedTest
  @CsvSource({"park, park, 0", "prak, park, 1", "pak, park, 1", "park2, park, 1", "perk, park, 1"})
  void typingMistakesAreCounted(String left, String right, int mistakes) {
    assertThat(Spelling.mistakes(left, right)).isEqualTo(mistakes);
    assertThat(Spelling.mistakes(right, left)).isEqualTo(mistakes);
  }

  @Test
  void nearestIsTheOneWithTheFewestMistakes() {
    List<String> keys = List.of("pull.period", "pull.park", "push.park");

    assertThat(Spelling.nearest("pull.prak", keys)).hasValue("pull.park");
  }

  @Test
  void nothingNearIsNoSuggestion() {
    assertThat(Spelling.nearest("database", List.of("pull.park"))).isEmpty();
    assertThat(Spelling.nearest("database", List.of())).isEmpty();
  }
}
