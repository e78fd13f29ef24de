package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.Verdicts.assertBroken;
import static io.millrace.torture.oracle.Verdicts.assertClean;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.MisfirePolicy;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.torture.journal.Answer;
import io.millrace.torture.load.Behaviour;
import io.millrace.torture.load.LoadJob;
import io.millrace.torture.load.Timing;
import io.millrace.torture.nemesis.Fault;
import io.millrace.torture.nemesis.Victim.Part;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChargesCheckTest {
  private static final Timing AT = new Timing(Timing.Kind.AT, 10_000, 0, 0);
  private static final LoadJob CHARGES = Story.job("charges", AT, Behaviour.CHARGE_ONCE);
  private static final LoadJob DIES = atMostOnce(Story.job("dies", AT, Behaviour.CHARGE_AND_DIE));
  private static final LoadJob GRID =
      atMostOnce(
          Story.job(
              "grid",
              new Timing(Timing.Kind.REPEAT, 10_000, 12_000, 1_000),
              Behaviour.CHARGE_AND_DIE));

  private static LoadJob atMostOnce(LoadJob job) {
    return Story.with(job, 0, OverlapPolicy.ALLOW, MisfirePolicy.all().atMost(1_000));
  }

  /** A job whose first attempt was lost, and whose second one succeeded. */
  private static Story rescued() {
    return new Story()
        .submitted(CHARGES, 9_000, Answer.ACCEPTED)
        .ran(1, CHARGES, 10_000, 1, 1, 10_001, null, null)
        .recorded(1, CHARGES, 10_000, 1, 1, LedgerStatus.RESCUED, false, 10_001, 14_500)
        .ran(2, CHARGES, 10_000, 2, 2, 14_600, 14_610L, Outcome.SUCCESS)
        .recorded(2, CHARGES, 10_000, 2, 2, LedgerStatus.SUCCEEDED, true, 14_600, 14_612)
        .fault(Fault.Kind.KILL, Part.WORKER, 1, 10_100, 11_000);
  }

  /** A job that died with execution 1, as its replay did with 2; the replay of this succeeded. */
  private static Story replayed() {
    return new Story()
        .submitted(DIES, 9_000, Answer.ACCEPTED)
        .died(1, DIES, 10_000, 10_001, 71L)
        .died(2, DIES, 10_000, 10_100, null)
        .asReplay(1, 71, 0)
        .dead(72L)
        .done(3, DIES, 10_000, 10_200)
        .asReplay(2, 72, 0);
  }

  @Test
  void stepThatWasNotStoredMayRunAgainAndAZombieMayRunItLate() {
    Verdict verdict =
        rescued()
            .charged(1, 10_002, false)
            .charged(2, 14_601, true)
            .charged(1, 14_620, false)
            .judged();

    assertThat(verdict.sentences()).isEmpty();
    assertThat(verdict.notes()).contains("steps stored: 1");
  }

  @Test
  void stepThatWasStoredRunsInNoLaterAttempt() {
    assertBroken(
        rescued().charged(1, 10_002, true).charged(2, 14_601, true),
        Promise.UNEXPLAINED_DUPLICATE,
        "orders/charges",
        "its step ran in execution 2",
        "although execution 1 had stored it");
  }

  @Test
  void replayFindsTheStepOfTheTriggerThatDiedFirst() {
    Verdict verdict = replayed().charged(1, 10_002, true).judged();

    assertThat(verdict.sentences()).isEmpty();
    assertThat(verdict.notes())
        .contains("replays that found the step of a dead trigger: 1", "dead triggers replayed: 2");
  }

  @Test
  void replayRunsTheStepThatNoDeadTriggerStored() {
    assertClean(replayed().charged(1, 10_002, false).charged(3, 10_201, true));
  }

  @Test
  void replayThatRunsAStoredStepAgainIsADuplicate() {
    assertBroken(
        replayed().charged(1, 10_002, true).charged(3, 10_201, true),
        Promise.UNEXPLAINED_DUPLICATE,
        "orders/dies",
        "its step ran in execution 3 (a replay of 2)",
        "although execution 1 had stored it");
  }

  @Test
  void replayOfARecurringJobFindsTheStepOfItsOwnInstant() {
    Story story =
        new Story()
            .submitted(GRID, 9_000, Answer.ACCEPTED)
            .definition(GRID, "FINISHED", 0)
            .died(1, GRID, 10_000, 10_001, 71L)
            .charged(1, 10_002, true)
            .done(2, GRID, 10_000, 10_100)
            .asReplay(1, 71, 1)
            .died(3, GRID, 11_000, 11_001, null)
            .charged(3, 11_002, "key-3");

    assertClean(story);
    assertBroken(
        story.charged(2, 10_101, false),
        Promise.UNEXPLAINED_DUPLICATE,
        "execution 2 (a replay of 1)");
  }

  @Test
  void triggerThatSucceedsHasRunItsStep() {
    assertBroken(
        rescued(), Promise.LOST, "orders/charges", "execution 2", "but its step never ran");
  }

  @Test
  void taskIdThatIsUsedAgainFindsNoStepOfItsForerunner() {
    Story story =
        new Story()
            .submitted(CHARGES, 9_000, Answer.ACCEPTED)
            .done(1, CHARGES, 10_000, 10_001)
            .charged(1, 10_002, true)
            .submitted(CHARGES, 10_500, Answer.ACCEPTED)
            .ran(2, CHARGES, 10_000, 1, 1, 10_001, 10_011L, Outcome.SUCCESS);
    story.again(story.lastRow(), 4711);

    assertBroken(story, Promise.LOST, "execution 2", "but its step never ran");
    assertThat(story.charged(2, 10_003, "key-2").judged())
        .returns(List.of(), Verdict::sentences)
        .returns(true, it -> it.notes().contains("steps of a task id that was used before: 1"));
  }

  @Test
  void keyOfAStepIsTheSameInAllAttemptsAndReplays() {
    assertBroken(
        replayed().charged(1, 10_002, "key-1").charged(3, 10_201, "key-3"),
        Promise.UNEXPLAINED_DUPLICATE,
        "orders/dies",
        "had the key key-3 in execution 3, and key-1 in an earlier one");
  }

  @Test
  void noOtherTriggerHasTheKeyOfAStep() {
    assertBroken(
        replayed()
            .charged(1, 10_002, true)
            .submitted(CHARGES, 9_000, Answer.ACCEPTED)
            .done(4, CHARGES, 10_000, 10_001)
            .charged(4, 10_003, true),
        Promise.LOST,
        "orders/charges",
        "had the key key-1 in execution 4, which is that of");
  }
}
