package io.millrace.internal.rpc.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.time.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WrongProofsTest {
  private final ManualClock clock = new ManualClock(Instant.EPOCH);
  private final WrongProofs proofs = new WrongProofs(clock);

  @Test
  void answersComeTheLaterTheMoreThereWere() {
    List<Long> delays =
        IntStream.range(0, WrongProofs.FREE + 8)
            .mapToObj(i -> proofs.count("10.0.0.1").toMillis())
            .toList();

    assertThat(delays.subList(0, WrongProofs.FREE)).containsOnly(0L);
    assertThat(delays.subList(WrongProofs.FREE, delays.size()))
        .containsExactly(100L, 200L, 400L, 800L, 1_600L, 3_200L, 5_000L, 5_000L);
    assertThat(proofs.seen()).isEqualTo(WrongProofs.FREE + 8);
  }

  @Test
  void otherAddressesAreNotSlowedDown() {
    IntStream.range(0, 100).forEach(i -> proofs.count("10.0.0.1"));

    assertThat(proofs.count("10.0.0.2")).isZero();
  }

  @Test
  void quietMinuteIsForgiven() {
    IntStream.range(0, 100).forEach(i -> proofs.count("10.0.0.1"));
    clock.advance(Duration.ofSeconds(61));

    assertThat(proofs.count("10.0.0.1")).isZero();
  }
}
