package io.millrace.jobtracker.domain.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.OverlapPolicy;
import io.millrace.jobtracker.domain.job.RunCounts.Answer;
import org.junit.jupiter.api.Test;

class RunCountsTest {
  private static final RunCounts NOBODY = new RunCounts(0, 0);

  @Test
  void firstOneRunsWhateverThePolicy() {
    assertThat(NOBODY.ask(OverlapPolicy.skip())).isEqualTo(Answer.RUNS);
    assertThat(NOBODY.ask(OverlapPolicy.queue(1))).isEqualTo(Answer.RUNS);
    assertThat(NOBODY.ask(OverlapPolicy.allow())).isEqualTo(Answer.RUNS);
  }

  @Test
  void secondOneIsTreatedAsThePolicySays() {
    RunCounts one = NOBODY.after(Answer.RUNS);

    assertThat(one.ask(OverlapPolicy.allow())).isEqualTo(Answer.RUNS);
    assertThat(one.ask(OverlapPolicy.skip())).isEqualTo(Answer.IS_SKIPPED);
    assertThat(one.ask(OverlapPolicy.queue(1))).isEqualTo(Answer.IS_HELD);
  }

  @Test
  void queueEndsAtItsLimit() {
    RunCounts turns = NOBODY.after(Answer.RUNS).after(Answer.IS_HELD);

    assertThat(turns.ask(OverlapPolicy.queue(2))).isEqualTo(Answer.IS_HELD);
    assertThat(turns.ask(OverlapPolicy.queue(1))).isEqualTo(Answer.IS_SKIPPED);
    assertThat(turns.after(Answer.IS_SKIPPED)).isEqualTo(turns);
  }

  @Test
  void endMakesRoomForOneThatIsHeld() {
    RunCounts turns = NOBODY.after(Answer.RUNS).after(Answer.IS_HELD).after(Answer.IS_HELD);
    assertThat(turns.isFree()).isFalse();

    RunCounts free = turns.afterEnds(1);
    assertThat(free.isFree()).isTrue();
    assertThat(free.afterCall()).isEqualTo(new RunCounts(1, 1));
    assertThat(free.afterCall().isFree()).isFalse();
  }

  @Test
  void moreEndsThanRunsLeaveNone() {
    assertThat(new RunCounts(1, 0).afterEnds(3)).isEqualTo(NOBODY);
    assertThat(NOBODY.isFree()).isFalse();
  }
}
