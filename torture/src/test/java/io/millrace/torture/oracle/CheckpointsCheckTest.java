package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.Verdicts.assertBroken;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.torture.journal.Answer;
import io.millrace.torture.load.LoadJob;
import io.millrace.torture.nemesis.Fault;
import io.millrace.torture.nemesis.Victim.Part;
import org.junit.jupiter.api.Test;

class CheckpointsCheckTest {
  private static final LoadJob ONCE = Story.oneShot("once", 10_000);

  /** Execution 1 is frozen until 14.7 s and given up at 14.5 s; execution 2 takes its place. */
  private static Story frozen() {
    return new Story()
        .submitted(ONCE, 9_000, Answer.ACCEPTED)
        .ran(1, ONCE, 10_000, 1, 1, 10_001, 14_800L, Outcome.SUCCESS)
        .recorded(1, ONCE, 10_000, 1, 1, LedgerStatus.RESCUED, false, 10_001, 14_500)
        .done(2, ONCE, 10_000, 2, 14_600, 15_600, Outcome.EXCEPTION)
        .done(3, ONCE, 10_000, 3, 15_950, 15_960, Outcome.SUCCESS)
        .fault(Fault.Kind.FREEZE, Part.WORKER, 1, 10_000, 14_750);
  }

  @Test
  void laterAttemptFindsTheCheckpointOfAnEarlierOne() {
    Verdict verdict =
        frozen()
            .checkpoint(1, 14_799, null)
            .checkpoint(2, 14_700, null)
            .checkpoint(3, 15_955, 2L)
            .judged();

    assertThat(verdict.sentences()).isEmpty();
    assertThat(verdict.notes())
        .contains("checkpoints found: 1", "checkpoints made after the end of their execution: 1");
  }

  @Test
  void checkpointOfAZombieIsRefused() {
    assertBroken(
        frozen().checkpoint(2, 14_700, null).checkpoint(1, 14_799, null).checkpoint(3, 15_955, 1L),
        Promise.ACCEPTED_TWICE,
        "execution 3 found the checkpoint that 1 made",
        "after it had ended RESCUED");
  }

  @Test
  void checkpointOfAnotherTriggerIsNotFound() {
    LoadJob other = Story.oneShot("other", 10_000);

    assertBroken(
        new Story()
            .submitted(other, 9_000, Answer.ACCEPTED)
            .submitted(ONCE, 9_000, Answer.ACCEPTED)
            .done(1, other, 10_000, 10_001)
            .done(2, ONCE, 10_000, 10_001)
            .checkpoint(1, 10_005, null)
            .checkpoint(2, 10_006, 1L),
        Promise.UNEXPLAINED_DUPLICATE,
        "orders/once",
        "execution 2 found a checkpoint that is of no earlier attempt (orders/other 1)");
  }
}
