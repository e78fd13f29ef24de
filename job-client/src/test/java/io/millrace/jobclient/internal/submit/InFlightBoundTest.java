package io.millrace.jobclient.internal.submit;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobclient.internal.submit.InFlightBound.Turn;
import org.junit.jupiter.api.Test;

class InFlightBoundTest {
  private final InFlightBound bound = new InFlightBound(3, 100);

  @Test
  void countIsBounded() {
    enterAll(1, 1, 1);
    Turn fourth = bound.enter(1);
    assertThat(fourth.hasEntered()).isFalse();

    bound.leave(1);

    assertThat(fourth.hasEntered()).isTrue();
  }

  @Test
  void bytesAreBounded() {
    enterAll(60);
    Turn second = bound.enter(41);
    assertThat(second.hasEntered()).isFalse();

    bound.leave(60);

    assertThat(second.hasEntered()).isTrue();
  }

  @Test
  void jobLargerThanTheBoundGetsInAlone() {
    assertThat(bound.enter(500).hasEntered()).isTrue();
    assertThat(bound.enter(1).hasEntered()).isFalse();
  }

  @Test
  void smallJobDoesNotPassALargeOneThatWaits() {
    enterAll(60);
    Turn large = bound.enter(90);
    Turn small = bound.enter(1);
    assertThat(small.hasEntered()).isFalse();

    bound.leave(60);

    assertThat(large.hasEntered()).isTrue();
    assertThat(small.hasEntered()).isTrue();
  }

  @Test
  void givingUpLetsThoseBehindIn() {
    enterAll(60);
    Turn large = bound.enter(90);
    Turn small = bound.enter(1);

    assertThat(large.giveUp()).isTrue();

    assertThat(small.hasEntered()).isTrue();
    assertThat(small.giveUp()).isFalse();
  }

  /** The jobs that hold the room may be waiting for the very thread. */
  @Test
  void codeThatMustNotWaitEntersBeyondTheBound() {
    enterAll(1, 1, 1);

    bound.runWithoutWaiting(
        () -> bound.runWithoutWaiting(() -> assertThat(bound.enter(1).hasEntered()).isTrue()));

    assertThat(bound.jobs()).isEqualTo(4);
    assertThat(bound.enter(1).hasEntered()).isFalse();
  }

  private void enterAll(long... sizes) {
    for (long size : sizes) {
      assertThat(bound.enter(size).hasEntered()).isTrue();
    }
  }
}
