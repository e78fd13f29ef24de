package io.millrace.jobclient.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.time.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SubmissionIdsTest {
  private final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T00:00:00Z"));
  private final SubmissionIds ids = new SubmissionIds(clock, new Random(1));

  @Test
  void idIsFixedWidthLowerCaseHex() {
    assertThat(ids.next()).matches("[0-9a-f]{36}");
    assertThat(ids.next()).hasSize(SubmissionIds.LENGTH);
  }

  @Test
  void idBeginsWithTheMillisecond() {
    String millis = ids.next().substring(0, 12);

    assertThat(Long.parseLong(millis, 16)).isEqualTo(clock.millis());
  }

  @Test
  void idsRiseAlsoWhenTheClockStepsBack() {
    List<String> minted = new ArrayList<>();
    minted.add(ids.next());
    minted.add(ids.next());
    clock.advance(Duration.ofMillis(1));
    minted.add(ids.next());
    clock.set(clock.now().minusSeconds(60));
    minted.add(ids.next());
    clock.advance(Duration.ofMinutes(5));
    minted.add(ids.next());

    assertThat(minted).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void clientsThatMintAtTheSameTimeDoNotCollide() {
    SubmissionIds others = new SubmissionIds(clock, new Random(2));

    assertThat(others.next()).isNotEqualTo(ids.next());
  }
}
