package io.millrace.jobclient.submit;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobclient.submit.InFlightBound.Turn;
import org.junit.jupiter.api.Test;

class InFlightBoundTest {
  private final InFlightBound room = new InFlightBound(3, 100);

  @Test
  void countIsBounded() {
    enterAll(1, 1, 1);
    Turn fourth = room.enter(1);
    assertThat(fourth.entered()).isNotDone();

    room.leave(1);

    assertThat(fourth.entered()).isDone();
  }

  @Test
  void bytesAreBounded() {
    enterAll(60);
    Turn second = room.enter(41);
    assertThat(second.entered()).isNotDone();

    room.leave(60);

    assertThat(second.entered()).isDone();
  }

  @Test
  void jobLargerThanTheBoundGetsInAlone() {
    assertThat(room.enter(500).entered()).isDone();
    assertThat(room.enter(1).entered()).isNotDone();
  }

  @Test
  void smallJobDoesNotPassALargeOneThatWaits() {
    enterAll(60);
    Turn large = room.enter(90);
    Turn small = room.enter(1);
    assertThat(small.entered()).isNotDone();

    room.leave(60);

    assertThat(large.entered()).isDone();
    assertThat(small.entered()).isDone();
  }

  @Test
  void givingUpLetsThoseBehindIn() {
    enterAll(60);
    Turn large = room.enter(90);
    Turn small = room.enter(1);

    assertThat(large.giveUp()).isTrue();

    assertThat(small.entered()).isDone();
    assertThat(small.giveUp()).isFalse();
  }

  private void enterAll(long... sizes) {
    for (long size : sizes) {
      assertThat(room.enter(size).entered()).isDone();
    }
  }
}
