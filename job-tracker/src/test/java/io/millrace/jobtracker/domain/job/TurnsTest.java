package io.millrace.jobtracker.domain.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.common.model.OverlapPolicy;
import io.millrace.jobtracker.domain.job.Turns.Answer;
import org.junit.jupiter.api.Test;

class TurnsTest {
  private static final Turns NOBODY = new Turns(0, 0);

  @Test
  void firstOneRunsWhateverThePolicy() {
    assertThat(NOBODY.ask(OverlapPolicy.skip())).isEqualTo(Answer.RUNS);
    assertThat(NOBODY.ask(OverlapPolicy.queue(1))).isEqualTo(Answer.RUNS);
    assertThat(NOBODY.ask(OverlapPolicy.allow())).isEqualTo(Answer.RUNS);
  }

  @Test
  void secondOneIsTreatedAsThePolicySays() {
    Turns one = NOBODY.after(Answer.RUNS);

    assertThat(one.ask(OverlapPolicy.allow())).isEqualTo(Answer.RUNS);
    assertThat(one.ask(OverlapPolicy.skip())).isEqualTo(Answer.IS_SKIPPED);
    assertThat(one.ask(OverlapPolicy.queue(1))).isEqualTo(Answer.IS_HELD);
  }

  @Test
  void queueEndsAtItsLimit() {
    Turns turns = NOBODY.after(Answer.RUNS).after(Answer.IS_HELD);

    assertThat(turns.ask(OverlapPolicy.queue(2))).isEqualTo(Answer.IS_HELD);
    assertThat(turns.ask(OverlapPolicy.queue(1))).isEqualTo(Answer.IS_SKIPPED);
    assertThat(turns.after(Answer.IS_SKIPPED)).isEqualTo(turns);
  }

  @Test
  void endMakesRoomForOneThatIsHeld() {
    Turns turns = NOBODY.after(Answer.RUNS).after(Answer.IS_HELD).after(Answer.IS_HELD);
    assertThat(turns.isFree()).isFalse();

    Turns free = turns.afterEnds(1);
    assertThat(free.isFree()).isTrue();
    assertThat(free.afterCall()).isEqualTo(new Turns(1, 1));
    assertThat(free.afterCall().isFree()).isFalse();
  }

  @Test
  void moreEndsThanRunsLeaveNone() {
    assertThat(new Turns(1, 0).afterEnds(3)).isEqualTo(NOBODY);
    assertThat(NOBODY.isFree()).isFalse();
  }
}
