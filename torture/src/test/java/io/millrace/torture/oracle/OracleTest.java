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
import io.millrace.torture.load.Step.Kind;
import io.millrace.torture.load.Timing;
import io.millrace.torture.nemesis.Fault;
import io.millrace.torture.nemesis.Victim.Part;
import java.util.List;
import org.junit.jupiter.api.Test;

/** For each promise a run that keeps it, and one that breaks it. */
class OracleTest {
  private static final LoadJob ONCE = Story.oneShot("once", 10_000);
  private static final LoadJob GRID = Story.every("grid", 10_000, 13_000, 1_000);
  private static final LoadJob CHAIN = Story.chain("chain", 10_000, 12_000, 1_000);

  private static Story once() {
    return new Story().submitted(ONCE, 9_000, Answer.ACCEPTED);
  }

  private static Story grid() {
    return new Story().submitted(GRID, 9_000, Answer.ACCEPTED).definition(GRID, "FINISHED", 0);
  }

  @Test
  void lastLineSaysEverything() {
    Verdict verdict = once().done(1, ONCE, 10_000, 10_001).judged();

    assertThat(verdict.isClean()).isTrue();
    assertThat(verdict.lastLine())
        .isEqualTo(
            "lost=0 unexplained_duplicates=0 accepted_twice=0 early=0 stuck=0 acked=1 triggers=1"
                + " faults=0");
  }

  // One-shots.

  @Test
  void oneShotWithoutATraceIsLost() {
    assertBroken(once(), Promise.LOST, "orders/once", "ACCEPTED=1");
  }

  @Test
  void oneShotThatWentBackAndIsNowhereIsLost() {
    assertBroken(
        once().done(1, ONCE, 10_000, 1, 10_001, 10_002, Outcome.EXCEPTION),
        Promise.LOST,
        "orders/once",
        "RETRIED");
  }

  @Test
  void savedSubmitMustHaveBeenDelivered() {
    assertBroken(
        new Story().submitted(ONCE, 9_000, Answer.SAVED_LOCALLY), Promise.LOST, "SAVED_LOCALLY=1");
    assertClean(
        new Story().submitted(ONCE, 9_000, Answer.SAVED_LOCALLY).done(1, ONCE, 10_000, 10_001));
  }

  @Test
  void savedScheduleMustHaveBeenDeliveredUnlessItWasTooLate() {
    assertBroken(
        new Story().submitted(GRID, 9_000, Answer.SAVED_LOCALLY),
        Promise.LOST,
        "saved by its client");
    assertClean(
        new Story()
            .submitted(GRID, 9_000, Answer.SAVED_LOCALLY)
            .delivered(GRID, 9_900, Answer.REFUSED));
  }

  /** What passes while it is saved is planned when it is delivered, as if it had been stored. */
  @Test
  void savedScheduleCountsFromWhenItWasSaved() {
    LoadJob late = Story.every("late", 10_000, 40_000, 1_000);
    Story delivered =
        new Story()
            .submitted(late, 9_000, Answer.SAVED_LOCALLY)
            .delivered(late, 30_500, Answer.ACCEPTED)
            .called(Kind.CANCEL, late, 30_600, Answer.DONE);

    assertBroken(delivered, Promise.LOST, "orders/late", "11 instants", "20000 ms");
    assertClean(
        delivered.passed(1, late, LedgerStatus.CANCELLED, "CANCELLED", 20_000, 30_000, 11, 30_700));
  }

  @Test
  void savedScheduleThatIsCancelledWithItsDeliveryNeedNotHavePlannedAnything() {
    assertClean(
        new Story()
            .submitted(GRID, 9_000, Answer.SAVED_LOCALLY)
            .delivered(GRID, 9_700, Answer.ACCEPTED)
            .called(Kind.CANCEL, GRID, 9_800, Answer.DONE));
    assertClean(
        new Story()
            .submitted(GRID, 9_000, Answer.SAVED_LOCALLY)
            .called(Kind.CANCEL, GRID, 9_800, Answer.SAVED_LOCALLY));
  }

  /** How long a request is on its way, only the wire knows. */
  @Test
  void savedScheduleNeedNotCountWhileItIsOnItsWay() {
    assertClean(
        new Story()
            .submitted(GRID, 9_000, Answer.SAVED_LOCALLY)
            .delivered(GRID, 12_500, Answer.ACCEPTED)
            .called(Kind.CANCEL, GRID, 12_600, Answer.DONE));
  }

  @Test
  void submitWithoutAnAnswerMayBeStoredOrNot() {
    assertClean(new Story().submitted(ONCE, 9_000, Answer.UNKNOWN));
    assertClean(new Story().submitted(ONCE, 9_000, Answer.UNKNOWN).done(1, ONCE, 10_000, 10_001));
  }

  @Test
  void refusedSubmitMustNotRun() {
    assertBroken(
        new Story().submitted(ONCE, 9_000, Answer.REFUSED).done(1, ONCE, 10_000, 10_001),
        Promise.ACCEPTED_TWICE,
        "orders/once");
  }

  @Test
  void oneSubmitIsOneTrigger() {
    Story story =
        once()
            .done(1, ONCE, 10_000, 10_001)
            .ran(2, ONCE, 10_000, 1, 1, 10_001L, 10_011L, Outcome.SUCCESS);
    assertBroken(
        story.again(story.lastRow(), 4711), Promise.ACCEPTED_TWICE, "ACCEPTED=1", "2 of it");
  }

  // Instants.

  @Test
  void everyInstantHasOneDisposition() {
    assertClean(
        grid()
            .done(1, GRID, 10_000, 10_001)
            .done(2, GRID, 11_000, 11_001)
            .done(3, GRID, 12_000, 12_001));
  }

  @Test
  void instantWithoutADispositionIsLost() {
    assertBroken(
        grid().done(1, GRID, 10_000, 10_001).done(3, GRID, 12_000, 12_001),
        Promise.LOST,
        "orders/grid",
        "1 instants",
        "11000 ms");
  }

  @Test
  void instantBeforeTheAcknowledgementMayBeMissing() {
    assertClean(
        new Story()
            .submitted(GRID, 10_500, Answer.ACCEPTED)
            .done(2, GRID, 11_000, 11_001)
            .done(3, GRID, 12_000, 12_001));
  }

  @Test
  void skippedRunOfInstantsIsCounted() {
    Story paused =
        grid()
            .called(Kind.PAUSE, GRID, 9_900, Answer.DONE)
            .called(Kind.RESUME, GRID, 11_500, Answer.DONE);
    assertClean(
        paused
            .passed(1, GRID, LedgerStatus.SKIPPED, "PAUSED_BY x", 10_000, 11_000, 2, 11_502)
            .done(3, GRID, 12_000, 12_001));
  }

  @Test
  void skippedRunOfInstantsOverlapsNothing() {
    assertBroken(
        grid()
            .called(Kind.PAUSE, GRID, 9_900, Answer.DONE)
            .called(Kind.RESUME, GRID, 10_500, Answer.DONE)
            .passed(1, GRID, LedgerStatus.SKIPPED, "PAUSED_BY x", 10_000, 11_000, 2, 10_502)
            .passed(2, GRID, LedgerStatus.SKIPPED, "PAUSED_BY x", 11_000, 12_000, 2, 10_503),
        Promise.ACCEPTED_TWICE,
        "2 dispositions of 11000 ms");
  }

  @Test
  void instantOffTheGridIsEarly() {
    assertBroken(
        grid()
            .done(1, GRID, 10_000, 10_001)
            .done(4, GRID, 10_500, 10_501)
            .done(2, GRID, 11_000, 11_001)
            .done(3, GRID, 12_000, 12_001),
        Promise.EARLY,
        "10500 ms");
  }

  @Test
  void nothingIsAskedOfInstantsAfterACancel() {
    assertClean(
        grid().called(Kind.CANCEL, GRID, 10_900, Answer.DONE).done(1, GRID, 10_000, 10_001));
  }

  @Test
  void endWithoutAReasonIsLost() {
    assertBroken(
        grid()
            .done(1, GRID, 10_000, 10_001)
            .passed(2, GRID, LedgerStatus.CANCELLED, "CANCELLED", 11_000, 11_000, 1, 11_001)
            .done(3, GRID, 12_000, 12_001),
        Promise.LOST,
        "CANCELLED",
        "without a reason");
  }

  @Test
  void whatIsSkippedAsMissedHadASuccessorThatWasDue() {
    LoadJob latest = Story.with(GRID, 3, OverlapPolicy.ALLOW, MisfirePolicy.latest());
    assertClean(
        new Story()
            .submitted(latest, 9_000, Answer.ACCEPTED)
            .passed(1, latest, LedgerStatus.SKIPPED, "MISSED", 10_000, 11_000, 2, 12_000)
            .done(3, latest, 12_000, 12_001));
    assertBroken(
        new Story()
            .submitted(latest, 9_000, Answer.ACCEPTED)
            .passed(1, latest, LedgerStatus.SKIPPED, "MISSED", 10_000, 11_000, 2, 11_999)
            .done(3, latest, 12_000, 12_001),
        Promise.LOST,
        "MISSED");
  }

  @Test
  void lastThatIsSkippedAsMissedWasLate() {
    LoadJob none = Story.with(GRID, 3, OverlapPolicy.ALLOW, MisfirePolicy.none());
    Story begun =
        new Story()
            .submitted(none, 9_000, Answer.ACCEPTED)
            .done(1, none, 10_000, 10_001)
            .done(2, none, 11_000, 11_001);
    assertClean(begun.passed(3, none, LedgerStatus.SKIPPED, "MISSED", 12_000, 12_000, 1, 22_001));
    assertBroken(
        new Story()
            .submitted(none, 9_000, Answer.ACCEPTED)
            .done(1, none, 10_000, 10_001)
            .done(2, none, 11_000, 11_001)
            .passed(3, none, LedgerStatus.SKIPPED, "MISSED", 12_000, 12_000, 1, 22_000),
        Promise.LOST,
        "MISSED");
  }

  @Test
  void withAllAsManyYoungerOnesWereMissedAsTheCapSays() {
    LoadJob one = Story.with(GRID, 3, OverlapPolicy.ALLOW, MisfirePolicy.all().atMost(1));
    assertClean(
        new Story()
            .submitted(one, 9_000, Answer.ACCEPTED)
            .passed(1, one, LedgerStatus.SKIPPED, "MISSED", 10_000, 10_000, 1, 12_000)
            .done(2, one, 11_000, 12_000)
            .done(3, one, 12_000, 12_001));
    assertBroken(
        new Story()
            .submitted(one, 9_000, Answer.ACCEPTED)
            .passed(1, one, LedgerStatus.SKIPPED, "MISSED", 10_000, 10_000, 1, 11_999)
            .done(2, one, 11_000, 12_000)
            .done(3, one, 12_000, 12_001),
        Promise.LOST,
        "MISSED");
  }

  @Test
  void whatMustNotBeMissedIsNotSkipped() {
    assertBroken(
        grid()
            .passed(1, GRID, LedgerStatus.SKIPPED, "MISSED", 10_000, 10_000, 1, 20_001)
            .done(2, GRID, 11_000, 21_001)
            .done(3, GRID, 12_000, 21_001),
        Promise.LOST,
        "MISSED");
  }

  @Test
  void whatIsToBeSkippedIsNotDrawnLate() {
    for (MisfirePolicy policy : List.of(MisfirePolicy.none(), MisfirePolicy.latest())) {
      for (OverlapPolicy overlap : List.of(OverlapPolicy.allow(), OverlapPolicy.skip())) {
        LoadJob job = Story.with(GRID, 3, overlap, policy);
        assertClean(drawnAt(job, 10_999, 21_999));
        assertBroken(drawnAt(job, 11_000, 12_001), Promise.EARLY, "when it was missed");
      }
    }
    LoadJob none = Story.with(GRID, 3, OverlapPolicy.ALLOW, MisfirePolicy.none());
    assertBroken(drawnAt(none, 10_001, 22_001), Promise.EARLY, "when it was missed");
    LoadJob latest = Story.with(GRID, 3, OverlapPolicy.ALLOW, MisfirePolicy.latest());
    assertClean(drawnAt(latest, 10_001, 22_001));
  }

  /** Of three fire times the first and the last drawn late. */
  private static Story drawnAt(LoadJob job, long first, long last) {
    return new Story()
        .submitted(job, 9_000, Answer.ACCEPTED)
        .done(1, job, 10_000, first)
        .done(2, job, 11_000, Math.max(first + 20, 11_001))
        .done(3, job, 12_000, last);
  }

  @Test
  void attemptsAreNotGivenUpTooSoon() {
    assertBroken(
        once()
            .ran(1, ONCE, 10_000, 2, 1, 10_001, 10_002L, Outcome.EXCEPTION)
            .recorded(1, ONCE, 10_000, 2, 1, LedgerStatus.DEAD, true, 10_001, 10_003),
        Promise.LOST,
        "DEAD",
        "attempt 2");
  }

  // Chains.

  @Test
  void chainGoesOnToItsEnd() {
    Story story =
        new Story().submitted(CHAIN, 9_000, Answer.ACCEPTED).done(1, CHAIN, 10_000, 10_001);
    assertBroken(story, Promise.LOST, "stopped", "11013 ms did not follow");
    assertClean(story.done(2, CHAIN, 11_013, 11_014));
  }

  @Test
  void chainThatNeverBeganIsLost() {
    assertBroken(new Story().submitted(CHAIN, 9_000, Answer.ACCEPTED), Promise.LOST, "never began");
  }

  @Test
  void chainKeepsItsDelay() {
    Story story =
        new Story().submitted(CHAIN, 9_000, Answer.ACCEPTED).done(1, CHAIN, 10_000, 10_001);
    assertBroken(story.done(2, CHAIN, 11_012, 11_014), Promise.EARLY, "instead of 11013 ms");
  }

  @Test
  void chainLeavesNothingOut() {
    Story story =
        new Story().submitted(CHAIN, 9_000, Answer.ACCEPTED).done(1, CHAIN, 10_000, 10_001);
    assertBroken(story.done(2, CHAIN, 11_913, 11_914), Promise.LOST, "instead of 11013 ms");
  }

  // Once and not twice.

  @Test
  void triggerThatEndsTwiceIsAcceptedTwice() {
    Story story = once().done(1, ONCE, 10_000, 10_001);
    assertThat(story.done(2, ONCE, 10_000, 10_020).judged().sentences())
        .anySatisfy(
            sentence ->
                assertThat(sentence).startsWith("ACCEPTED_TWICE").contains("ended 2 times"));
  }

  @Test
  void executionThatIsRecordedTwiceIsAcceptedTwice() {
    Story story =
        once()
            .done(1, ONCE, 10_000, 1, 10_001, 10_002, Outcome.EXCEPTION)
            .recorded(1, ONCE, 10_000, 1, 1, LedgerStatus.RETRIED, true, 10_001, 10_304)
            .done(2, ONCE, 10_000, 2, 10_605, 10_606, Outcome.SUCCESS);
    assertBroken(story, Promise.ACCEPTED_TWICE, "execution 1", "in the ledger twice");
  }

  @Test
  void executionAfterTheEndIsAcceptedTwice() {
    Story story =
        once()
            .done(1, ONCE, 10_000, 10_001)
            .recorded(2, ONCE, 10_000, 2, 2, LedgerStatus.RESCUED, false, 10_020, 14_000);
    assertBroken(story, Promise.ACCEPTED_TWICE, "ended with 1", "execution 2 was claimed");
  }

  @Test
  void triggerThatEndedAndIsToRunAgainIsAcceptedTwice() {
    Verdict verdict = once().done(1, ONCE, 10_000, 10_001).waits(ONCE, 10_000, 10_100).judged();
    assertThat(verdict.acceptedTwice()).isEqualTo(1);
    assertThat(verdict.stuck()).isEqualTo(1);
  }

  @Test
  void successThatNoInvocationHadIsNotAccepted() {
    assertBroken(
        once().recorded(1, ONCE, 10_000, 1, 1, LedgerStatus.SUCCEEDED, true, 10_001, 10_003),
        Promise.ACCEPTED_TWICE,
        "no invocation of it has ended");
  }

  @Test
  void successOfAnInvocationThatThrewIsNotAccepted() {
    assertBroken(
        once()
            .ran(1, ONCE, 10_000, 1, 1, 10_001, 10_002L, Outcome.EXCEPTION)
            .recorded(1, ONCE, 10_000, 1, 1, LedgerStatus.SUCCEEDED, true, 10_001, 10_003),
        Promise.ACCEPTED_TWICE,
        "SUCCEEDED",
        "EXCEPTION");
  }

  @Test
  void reportOfAnotherWorkerIsNotAccepted() {
    assertBroken(
        once()
            .ran(1, ONCE, 10_000, 1, 1, 10_001, 10_002L, Outcome.SUCCESS)
            .recorded(1, ONCE, 10_000, 1, 2, LedgerStatus.SUCCEEDED, true, 10_001, 10_003),
        Promise.ACCEPTED_TWICE,
        "ran on worker-1.1.runs and was accepted from worker-2");
  }

  // Starts.

  private static Story rescued() {
    return once()
        .ran(1, ONCE, 10_000, 1, 1, 10_001, null, null)
        .recorded(1, ONCE, 10_000, 1, 1, LedgerStatus.RESCUED, false, 10_001, 14_500)
        .ran(2, ONCE, 10_000, 2, 2, 14_600, 14_610L, Outcome.SUCCESS)
        .recorded(2, ONCE, 10_000, 2, 2, LedgerStatus.SUCCEEDED, true, 14_600, 14_612);
  }

  @Test
  void secondStartIsExplainedByAFault() {
    Verdict verdict = rescued().fault(Fault.Kind.KILL, Part.WORKER, 1, 10_100, 11_000).judged();

    assertThat(verdict.sentences()).isEmpty();
    assertThat(verdict.notes()).contains("duplicate starts explained by KILL of worker: 1");
    assertThat(verdict.faults()).isEqualTo(1);
  }

  @Test
  void secondStartIsNotExplainedByAFaultElsewhereOrLongAgo() {
    assertBroken(
        rescued()
            .fault(Fault.Kind.KILL, Part.WORKER, 2, 10_100, 11_000)
            .fault(Fault.Kind.KILL, Part.CLIENT, 1, 10_100, 11_000)
            .fault(Fault.Kind.KILL, Part.DATABASE, 1, -9_000, -8_000)
            .fault(Fault.Kind.KILL, Part.WORKER, 1, 14_700, 14_800),
        Promise.UNEXPLAINED_DUPLICATE,
        "orders/once",
        "worker-1.1.runs (1)",
        "worker-2.1.runs (2)",
        "RESCUED");
  }

  @Test
  void secondStartIsExplainedByAMachineThatStoodStillAndThatIsNoFaultOfTheRun() {
    Verdict verdict = rescued().fault(Fault.Kind.STALL, Part.MACHINE, 1, 10_100, 11_000).judged();

    assertThat(verdict.sentences()).isEmpty();
    assertThat(verdict.faults()).isZero();
    assertThat(verdict.notes()).contains("duplicate starts explained by STALL of machine: 1");
  }

  @Test
  void laterAttemptsNeedNoFault() {
    assertClean(
        once()
            .done(1, ONCE, 10_000, 1, 10_001, 10_002, Outcome.EXCEPTION)
            .done(2, ONCE, 10_000, 2, 10_310, 10_311, Outcome.LATER)
            .done(3, ONCE, 10_000, 2, 11_020, 11_021, Outcome.SUCCESS));
  }

  @Test
  void executionThatBeginsTwiceIsNeverExplained() {
    assertBroken(
        once()
            .done(1, ONCE, 10_000, 10_001)
            .ran(1, ONCE, 10_000, 1, 1, 10_011, 10_011L, Outcome.SUCCESS)
            .fault(Fault.Kind.KILL, Part.WORKER, 1, 10_000, 11_000),
        Promise.UNEXPLAINED_DUPLICATE,
        "execution 1",
        "began twice");
  }

  @Test
  void executionThatNoTableKnowsIsNeverExplained() {
    assertBroken(
        once()
            .ran(1, ONCE, 10_000, 1, 1, 10_001, 10_002L, Outcome.SUCCESS)
            .done(2, ONCE, 10_000, 10_020)
            .fault(Fault.Kind.KILL, Part.TRACKER, 1, 10_000, 11_000),
        Promise.UNEXPLAINED_DUPLICATE,
        "execution 1",
        "is in no table");
  }

  @Test
  void startAfterTheOwnEndIsExplainedByAFreezeOnly() {
    Story story =
        once()
            .ran(1, ONCE, 10_000, 1, 1, 14_800, 14_810L, Outcome.SUCCESS)
            .recorded(1, ONCE, 10_000, 1, 1, LedgerStatus.RESCUED, false, 10_001, 14_500)
            .ran(2, ONCE, 10_000, 2, 2, 14_600, 14_610L, Outcome.SUCCESS)
            .recorded(2, ONCE, 10_000, 2, 2, LedgerStatus.SUCCEEDED, true, 14_600, 14_612)
            .fault(Fault.Kind.CUT, Part.TRACKER_LINK, 1, 10_000, 14_790);
    assertBroken(story, Promise.UNEXPLAINED_DUPLICATE, "execution 1", "after it had ended");
    assertClean(story.fault(Fault.Kind.FREEZE, Part.WORKER, 1, 10_000, 14_790));
  }

  @Test
  void whatRunsOnceAtMostBeginsOnce() {
    LoadJob once = Story.with(ONCE, 0, OverlapPolicy.ALLOW, MisfirePolicy.DEFAULT);
    assertBroken(
        new Story()
            .submitted(once, 9_000, Answer.ACCEPTED)
            .ran(1, once, 10_000, 1, 1, 10_001, null, null)
            .recorded(1, once, 10_000, 1, 1, LedgerStatus.RETURNED, false, 10_001, 14_500)
            .done(2, once, 10_000, 14_600)
            .fault(Fault.Kind.KILL, Part.WORKER, 1, 10_100, 11_000),
        Promise.UNEXPLAINED_DUPLICATE,
        "may run once at most");
  }

  @Test
  void jobThatNobodySubmittedMustNotRun() {
    LoadJob stranger = Story.oneShot("stranger", 10_000);
    assertBroken(
        new Story().done(1, stranger, 10_000, 10_001),
        Promise.UNEXPLAINED_DUPLICATE,
        "orders/stranger");
  }

  // Overlaps.

  @Test
  void executionsOfOneTriggerDoNotOverlap() {
    Story story =
        once()
            .ran(1, ONCE, 10_000, 1, 1, 10_001, 14_650L, Outcome.SUCCESS)
            .recorded(1, ONCE, 10_000, 1, 1, LedgerStatus.RESCUED, false, 10_001, 14_620)
            .ran(2, ONCE, 10_000, 2, 2, 14_600, 14_640L, Outcome.SUCCESS)
            .recorded(2, ONCE, 10_000, 2, 2, LedgerStatus.SUCCEEDED, true, 14_621, 14_642)
            .fault(Fault.Kind.FREEZE, Part.WORKER, 1, 10_000, 14_650);
    assertBroken(story, Promise.UNEXPLAINED_DUPLICATE, "1 (for", "was under way when 2");
  }

  @Test
  void zombieMayRunBesideItsSuccessor() {
    Verdict verdict =
        once()
            .ran(1, ONCE, 10_000, 1, 1, 10_001, 14_800L, Outcome.SUCCESS)
            .recorded(1, ONCE, 10_000, 1, 1, LedgerStatus.RESCUED, false, 10_001, 14_500)
            .ran(2, ONCE, 10_000, 2, 2, 14_600, 14_640L, Outcome.SUCCESS)
            .recorded(2, ONCE, 10_000, 2, 2, LedgerStatus.SUCCEEDED, true, 14_600, 14_642)
            .fault(Fault.Kind.FREEZE, Part.WORKER, 1, 10_000, 14_795)
            .judged();

    assertThat(verdict.sentences()).isEmpty();
    assertThat(verdict.notes()).contains("zombies: 1");
  }

  /**
   * The worker was stopped while the invocation waited for a tracker, and reported it without it.
   */
  private Story returnedWithoutItsEnd(long restarted) {
    return once()
        .ran(1, ONCE, 10_000, 1, 1, 10_001, null, null)
        .recorded(1, ONCE, 10_000, 1, 1, LedgerStatus.RETURNED, true, 10_001, 14_500)
        .ran(2, ONCE, 10_000, 2, 2, 14_600, 14_640L, Outcome.SUCCESS)
        .recorded(2, ONCE, 10_000, 2, 2, LedgerStatus.SUCCEEDED, true, 14_600, 14_642)
        .fault(Fault.Kind.RESTART, Part.WORKER, 1, 12_000, restarted);
  }

  @Test
  void invocationIsOverWithItsProcess() {
    assertClean(returnedWithoutItsEnd(14_600));
    assertBroken(
        returnedWithoutItsEnd(14_601), Promise.UNEXPLAINED_DUPLICATE, "was under way when 2");
  }

  @Test
  void triggersOfAnExclusiveJobDoNotOverlap() {
    LoadJob skip = Story.with(GRID, 3, OverlapPolicy.skip(), MisfirePolicy.latest());
    assertBroken(
        new Story()
            .submitted(skip, 9_000, Answer.ACCEPTED)
            .done(1, skip, 10_000, 1, 10_001, 11_500, Outcome.SUCCESS)
            .done(2, skip, 11_000, 1, 11_001, 11_002, Outcome.SUCCESS)
            .done(3, skip, 12_000, 12_001),
        Promise.UNEXPLAINED_DUPLICATE,
        "was under way when 2");
    assertClean(
        grid()
            .done(1, GRID, 10_000, 1, 10_001, 11_500, Outcome.SUCCESS)
            .done(2, GRID, 11_000, 1, 11_001, 11_002, Outcome.SUCCESS)
            .done(3, GRID, 12_000, 12_001));
  }

  // Early.

  @Test
  void startBeforeItsInstantIsEarly() {
    assertBroken(
        once().done(1, ONCE, 10_000, 9_998), Promise.EARLY, "execution 1", "2 ms before it might");
    assertClean(once().done(1, ONCE, 10_000, 9_999));
  }

  @Test
  void startBeforeItWasAskedForIsEarly() {
    LoadJob now = Story.job("now", new Timing(Timing.Kind.NOW, 9_000, 0, 0), Behaviour.SUCCEED);
    assertBroken(
        new Story().submitted(now, 9_000, Answer.ACCEPTED).done(1, now, 8_990, 8_995),
        Promise.EARLY,
        "orders/now");
  }

  @Test
  void attemptBeforeItsPauseIsOverIsEarly() {
    assertBroken(
        once()
            .done(1, ONCE, 10_000, 1, 10_001, 10_002, Outcome.EXCEPTION)
            .done(2, ONCE, 10_000, 2, 10_300, 10_301, Outcome.SUCCESS),
        Promise.EARLY,
        "less than 300 ms after");
  }

  // Changes.

  @Test
  void nothingIsClaimedAfterACancel() {
    assertBroken(
        once().called(Kind.CANCEL, ONCE, 9_500, Answer.DONE).done(1, ONCE, 10_000, 10_001),
        Promise.UNEXPLAINED_DUPLICATE,
        "after its CANCEL");
  }

  @Test
  void nothingIsClaimedDuringAPause() {
    assertBroken(
        grid()
            .done(1, GRID, 10_000, 10_001)
            .called(Kind.PAUSE, GRID, 10_500, Answer.DONE)
            .done(2, GRID, 11_000, 11_001)
            .called(Kind.RESUME, GRID, 11_500, Answer.DONE)
            .done(3, GRID, 12_000, 12_001),
        Promise.UNEXPLAINED_DUPLICATE,
        "after its PAUSE");
  }

  @Test
  void nothingOfAnOldVersionIsClaimedAfterAnEdit() {
    assertBroken(
        grid()
            .done(1, GRID, 10_000, 10_001)
            .done(2, GRID, 11_000, 11_001)
            .called(Kind.REPLACE, GRID, 11_500, Answer.REPLACED)
            .done(3, GRID, 12_000, 12_001),
        Promise.UNEXPLAINED_DUPLICATE,
        "in version 1, after version 2");
  }

  // Stuck.

  @Test
  void whatStillWaitsIsStuck() {
    assertBroken(once().waits(ONCE, 10_000, 10_000), Promise.STUCK, "jt_waiting_orders");
  }

  @Test
  void jobThatGoesOnWithoutATriggerIsStuck() {
    assertBroken(
        new Story().submitted(GRID, 12_500, Answer.ACCEPTED).definition(GRID, "ACTIVE", 0),
        Promise.STUCK,
        "still ACTIVE");
  }

  @Test
  void turnThatIsNeverGivenBackIsStuck() {
    assertBroken(
        new Story().submitted(GRID, 12_500, Answer.ACCEPTED).definition(GRID, "FINISHED", 1),
        Promise.STUCK,
        "counts 1 triggers that run");
  }

  // Dispatch.

  private static Story probing(long silentUntil) {
    return probing(25_000, silentUntil);
  }

  private static Story probing(long silentFrom, long silentUntil) {
    LoadJob probe = Story.every("probe-orders", 20_000, 40_000, 100);
    Story story = new Story().submitted(probe, 19_000, Answer.ACCEPTED);
    for (long instant = 20_000; instant < 40_000; instant += 100) {
      long at = instant < silentFrom || instant > silentUntil ? instant + 1 : silentUntil;
      story.done(instant, probe, instant, at);
    }
    return story.fault(Fault.Kind.KILL, Part.TRACKER, 1, 24_950, 30_000);
  }

  @Test
  void dispatchGoesOnSoonAfterATrackersDeath() {
    Verdict verdict = probing(29_950).judged();

    assertThat(verdict.sentences()).isEmpty();
    assertThat(verdict.longestGapMillis()).isEqualTo(29_950 - 24_950);
  }

  @Test
  void silenceBeforeADeathIsNotPutDownToIt() {
    Verdict verdict = probing(22_000, 29_000).judged();

    assertThat(verdict.sentences()).isEmpty();
    assertThat(verdict.longestGapMillis()).isEqualTo(29_000 - 24_950);
  }

  @Test
  void longSilenceAfterATrackersDeathIsStuck() {
    assertBroken(probing(29_951), Promise.STUCK, "nothing was dispatched in orders for 5001 ms");
  }

  @Test
  void silenceIsNotPutDownToOneFaultOfTwo() {
    assertClean(probing(33_000).fault(Fault.Kind.KILL, Part.DATABASE, 1, 26_000, 28_000));
  }
}
