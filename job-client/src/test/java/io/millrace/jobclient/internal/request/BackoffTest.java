package io.millrace.jobclient.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Positive;
import org.junit.jupiter.api.Test;

class BackoffTest {

  @Property
  void delayIsNeverLongerThanTheLast(@ForAll @Positive int failures, @ForAll long seed) {
    assertThat(new Backoff(new Random(seed)).delay(failures))
        .isBetween(Backoff.FIRST.dividedBy(2), Backoff.LAST);
  }

  @Test
  void delayGrows() {
    Backoff backOff = new Backoff(new Random(1));

    assertThat(backOff.delay(1)).isLessThanOrEqualTo(Duration.ofMillis(100));
    assertThat(backOff.delay(4)).isBetween(Duration.ofMillis(400), Duration.ofMillis(800));
    assertThat(backOff.delay(50)).isGreaterThanOrEqualTo(Duration.ofMillis(2_500));
  }
}
