package io.millrace.console.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TokenLifeTest {
  private static final long NOW = 1_000;
  private static final Duration MONTH = Duration.ofDays(30);

  @Test
  void tokenHasNoEndUnlessOneIsWanted() {
    assertThat(TokenLife.UNLIMITED.endOf(null, NOW)).isNull();
    assertThat(TokenLife.UNLIMITED.endOf(MONTH, NOW)).isEqualTo(NOW + MONTH.toMillis());
    assertThat(TokenLife.UNLIMITED.atMost(null)).isNull();
    assertThat(TokenLife.UNLIMITED.atMost(MONTH)).isEqualTo(MONTH);
  }

  @Test
  void longestLifeIsTheUsualOneAndTheMost() {
    TokenLife life = new TokenLife(MONTH);

    assertThat(life.endOf(null, NOW)).isEqualTo(NOW + MONTH.toMillis());
    assertThat(life.endOf(MONTH, NOW)).isEqualTo(NOW + MONTH.toMillis());
    assertThat(life.endOf(MONTH.minusDays(1), NOW)).isLessThan(NOW + MONTH.toMillis());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> life.endOf(MONTH.plusMillis(1), NOW))
        .withMessage("a token may be valid for at most 30d (console.max-token-life)");
    assertThat(life.atMost(null)).isEqualTo(MONTH);
    assertThat(life.atMost(MONTH.plusDays(1))).isEqualTo(MONTH);
    assertThat(life.atMost(Duration.ofDays(1))).isEqualTo(Duration.ofDays(1));
  }

  @Test
  void lifeIsNeitherTooShortNorWithoutBounds() {
    for (Duration wrong :
        new Duration[] {
          Duration.ZERO,
          Duration.ofDays(-1),
          Duration.ofSeconds(59),
          Duration.ofDays(36_501),
          Duration.ofSeconds(Long.MAX_VALUE)
        }) {
      assertThatIllegalArgumentException()
          .as(wrong.toString())
          .isThrownBy(() -> TokenLife.UNLIMITED.endOf(wrong, NOW))
          .withMessage("a token must be valid for 1m to 36500d");
    }
  }
}
