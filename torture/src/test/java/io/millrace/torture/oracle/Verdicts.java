package io.millrace.torture.oracle;

import static org.assertj.core.api.Assertions.assertThat;

/** What tests expect of the verdict on a story. */
final class Verdicts {
  private Verdicts() {}

  static void assertClean(Story story) {
    assertThat(story.judged().sentences()).isEmpty();
  }

  /** That it finds this and nothing else. */
  static void assertBroken(Story story, Promise promise, String... words) {
    Verdict verdict = story.judged();
    assertThat(verdict.sentences())
        .singleElement()
        .asString()
        .startsWith(promise + ": ")
        .contains(words);
    assertThat(verdict.isClean()).isFalse();
    assertThat(verdict.lost()).isEqualTo(promise == Promise.LOST ? 1 : 0);
    assertThat(verdict.unexplainedDuplicates())
        .isEqualTo(promise == Promise.UNEXPLAINED_DUPLICATE ? 1 : 0);
    assertThat(verdict.acceptedTwice()).isEqualTo(promise == Promise.ACCEPTED_TWICE ? 1 : 0);
    assertThat(verdict.early()).isEqualTo(promise == Promise.EARLY ? 1 : 0);
    assertThat(verdict.stuck()).isEqualTo(promise == Promise.STUCK ? 1 : 0);
  }
}
