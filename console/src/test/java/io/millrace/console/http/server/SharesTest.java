package io.millrace.console.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SharesTest {
  private final Shares shares = new Shares(10, 6);

  @Test
  void anOwnerHasItsShareAndAllTogetherTheTotal() {
    assertThat(shares.take("a", 6)).isPresent();
    assertThat(shares.take("a", 1)).isEmpty();
    assertThat(shares.take("b", 5)).isEmpty();
    assertThat(shares.take("b", 4)).isPresent();
    assertThat(shares.take("c", 1)).isEmpty();
  }

  @Test
  void whatIsGivenBackTwiceCountsOnce() {
    Runnable first = shares.take("a", 3).orElseThrow();
    assertThat(shares.take("a", 3)).isPresent();

    first.run();
    first.run();

    assertThat(shares.take("a", 3)).isPresent();
    assertThat(shares.take("a", 1)).isEmpty();
  }
}
