package io.millrace.jobtracker.domain.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.phrase.CatalogueContract;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CausesCatalogueTest extends CatalogueContract {
  CausesCatalogueTest() {
    super(CauseWords.class, "causes", false);
  }

  @Test
  void everyCodeHasAPhraseWithItsArgumentsInEveryLanguage() {
    for (Locale language : List.of(Locale.ENGLISH, Locale.CHINESE)) {
      CauseWords words = CauseWords.of(language);
      for (CauseCode code : CauseCode.values()) {
        List<String> arguments =
            IntStream.range(0, code.arguments()).mapToObj(i -> "<" + i + ">").toList();
        String said = words.say(new Cause(code, arguments, null));
        assertThat(said).as("%s in %s", code, language).isNotBlank().doesNotContain("{");
        assertThat(arguments).as("%s in %s", code, language).allMatch(said::contains);
      }
    }
  }

  @Test
  void everyPhraseIsOfACode() {
    assertThat(keys())
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    Stream.of("list.separator"), Arrays.stream(CauseCode.values()).map(Enum::name))
                .toList());
  }
}
