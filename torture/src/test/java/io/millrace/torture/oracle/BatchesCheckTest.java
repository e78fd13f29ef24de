package io.millrace.torture.oracle;

import static io.millrace.api.Outcome.FAILED;
import static io.millrace.api.Outcome.SUCCESS;
import static io.millrace.torture.oracle.Verdicts.assertBroken;
import static io.millrace.torture.oracle.Verdicts.assertClean;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.MisfirePolicy;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.WorkerLossPolicy;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.torture.journal.Answer;
import io.millrace.torture.load.Behaviour;
import io.millrace.torture.load.LoadJob;
import io.millrace.torture.load.Splitting;
import io.millrace.torture.load.Step.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Runs of two parts that are recorded as they should be, and otherwise. */
class BatchesCheckTest {
  private static final long RUN = 50;

  private static final LoadJob SPLIT = split(Story.oneShot("split", 10_000));

  private static LoadJob split(LoadJob job) {
    return split(job, Splitting.shards(2));
  }

  private static LoadJob split(LoadJob job, Splitting how) {
    return new LoadJob(
        job.nodeGroup(),
        job.taskId(),
        job.timing(),
        job.behaviour(),
        job.retries(),
        job.overlap(),
        job.misfire(),
        job.priority(),
        how,
        job.label(),
        job.stickTo());
  }

  private static Story submitted() {
    return new Story().submitted(SPLIT, 9_000, Answer.ACCEPTED);
  }

  private static Story part(Story story, int number) {
    return story.done(RUN + number, SPLIT, 10_000, 10_000 + 20 * number).asPart(RUN, number, 1);
  }

  private static Story ended(Story story, LedgerStatus status, long at) {
    return story.recorded(RUN, SPLIT, 10_000, 1, 1, status, false, 10_001, at);
  }

  @Test
  void runThatEndsAfterBothPartsKeepsAllPromises() {
    assertClean(ended(part(part(submitted(), 1), 2), LedgerStatus.SUCCEEDED, 10_100));
  }

  @Test
  void partsOfARunMayOverlapInAJobThatRunsOneAtATime() {
    LoadJob skip =
        split(
            Story.with(
                Story.every("grid", 10_000, 11_000, 1_000),
                3,
                OverlapPolicy.skip(),
                MisfirePolicy.DEFAULT));
    assertClean(
        new Story()
            .submitted(skip, 9_000, Answer.ACCEPTED)
            .definition(skip, "FINISHED", 0)
            .done(RUN + 1, skip, 10_000, 1, 10_010, 10_200, Outcome.SUCCESS)
            .asPart(RUN, 1, 1)
            .done(RUN + 2, skip, 10_000, 1, 10_020, 10_100, Outcome.SUCCESS)
            .asPart(RUN, 2, 1)
            .recorded(RUN, skip, 10_000, 1, 1, LedgerStatus.SUCCEEDED, false, 10_005, 10_210));
  }

  @Test
  void partWithoutADispositionIsLost() {
    assertBroken(
        ended(part(submitted(), 1), LedgerStatus.SUCCEEDED, 10_100),
        Promise.LOST,
        "orders/split",
        "1 of its 2 parts have a disposition");
  }

  @Test
  void partThatHasTwoDispositionsIsFound() {
    Story twice =
        part(part(submitted(), 1), 2)
            .recorded(60, SPLIT, 10_000, 0, 1, LedgerStatus.CANCELLED, false, 10_001, 10_090)
            .asPart(RUN, 2, 1);
    assertBrokenWith(
        ended(twice, LedgerStatus.CANCELLED, 10_100)
            .called(Kind.CANCEL, SPLIT, 10_002, Answer.DONE),
        "part 2 of 2 of orders/split",
        "has 2 dispositions");
  }

  @Test
  void runThatEndsBeforeItsLastPartIsFound() {
    Story early =
        part(submitted(), 1)
            .done(RUN + 2, SPLIT, 10_000, 1, 10_100, 11_000, Outcome.SUCCESS)
            .asPart(RUN, 2, 1);
    assertBroken(
        ended(early, LedgerStatus.SUCCEEDED, 10_200),
        Promise.ACCEPTED_TWICE,
        "before its part 2 ended SUCCEEDED");
  }

  @Test
  void runThatEndsOtherwiseThanItsPartsIsFound() {
    LoadJob fails = split(Story.job("split", SPLIT.timing(), Behaviour.FAIL));
    Story story = new Story().submitted(fails, 9_000, Answer.ACCEPTED);
    story =
        story
            .done(RUN + 1, fails, 10_000, 1, 10_010, 10_020, Outcome.FAILED)
            .asPart(RUN, 1, 1)
            .done(RUN + 2, fails, 10_000, 1, 10_010, 10_020, Outcome.FAILED)
            .asPart(RUN, 2, 1);
    assertBroken(
        ended(story, LedgerStatus.SUCCEEDED, 10_100),
        Promise.LOST,
        "ended SUCCEEDED",
        "its parts [FAILED]");
  }

  @Test
  void partsThatBelongToNoRunAreOfASecondSplit() {
    Story story = ended(part(part(submitted(), 1), 2), LedgerStatus.SUCCEEDED, 10_100);
    assertBrokenWith(
        story.done(71, SPLIT, 10_000, 10_020).asPart(70, 1, 1), "batch 70", "which is no run");
  }

  @Test
  void partThatIsClaimedAfterTheCancelWasAnsweredIsFound() {
    Story story =
        part(submitted().called(Kind.CANCEL, SPLIT, 10_300, Answer.DONE), 1)
            .done(RUN + 2, SPLIT, 10_000, 1, 10_900, 10_910, Outcome.SUCCESS)
            .asPart(RUN, 2, 1);
    assertBroken(
        ended(story, LedgerStatus.CANCELLED, 11_000),
        Promise.UNEXPLAINED_DUPLICATE,
        "part 2 of orders/split",
        "after the cancel was answered");
  }

  @Test
  void cancelEndsPartsThatWereNeverReleasedWithOneRow() {
    Story story =
        submitted()
            .called(Kind.CANCEL, SPLIT, 10_300, Answer.DONE)
            .passed(60, SPLIT, LedgerStatus.CANCELLED, null, 10_000, 10_000, 2, 10_305)
            .asPart(RUN, 1, 2);
    assertClean(ended(story, LedgerStatus.CANCELLED, 10_310));
  }

  @Test
  void runThatEndsAsIfItsFailedPartCountedIsFoundIfThatIsIgnored() {
    LoadJob ignores =
        split(
            Story.job("split", SPLIT.timing(), Behaviour.FAIL),
            new Splitting(
                Splitting.Kind.SHARDS,
                2,
                false,
                PartFailurePolicy.IGNORE,
                null,
                WorkerLossPolicy.SKIP));
    Story story =
        new Story()
            .submitted(ignores, 9_000, Answer.ACCEPTED)
            .done(RUN + 1, ignores, 10_000, 1, 10_010, 10_020, Outcome.FAILED)
            .asPart(RUN, 1, 1)
            .done(RUN + 2, ignores, 10_000, 1, 10_010, 10_020, Outcome.SUCCESS)
            .asPart(RUN, 2, 1);
    assertBroken(
        ended(story, LedgerStatus.FAILED, 10_100),
        Promise.LOST,
        "ended FAILED",
        "[SUCCEEDED, FAILED]");
  }

  @Test
  void firstFailedPartMayCancelTheOthersOnlyIfItsJobSaysSo() {
    LoadJob stops =
        split(
            Story.job("split", SPLIT.timing(), Behaviour.FAIL),
            new Splitting(
                Splitting.Kind.SHARDS,
                2,
                false,
                PartFailurePolicy.STOP,
                null,
                WorkerLossPolicy.SKIP));
    LoadJob finishes = split(stops, Splitting.shards(2));

    assertClean(ended(failedAndCancelled(stops), LedgerStatus.FAILED, 10_100));
    assertBrokenWith(
        ended(failedAndCancelled(finishes), LedgerStatus.FAILED, 10_100),
        "ended CANCELLED",
        "without a reason");
  }

  private static Story failedAndCancelled(LoadJob job) {
    return new Story()
        .submitted(job, 9_000, Answer.ACCEPTED)
        .done(RUN + 1, job, 10_000, 1, 10_010, 10_020, Outcome.FAILED)
        .asPart(RUN, 1, 1)
        .passed(RUN + 2, job, LedgerStatus.CANCELLED, "BATCH_STOPPED", 10_000, 10_000, 1, 10_030)
        .asPart(RUN, 2, 1);
  }

  /** Part 5 makes parts itself. */
  @Test
  void partThatMadePartsIsCancelledAlthoughItSucceededIfItsRunWasStopped() {
    assertClean(cancelledAfterSuccess(5));
    assertBroken(
        cancelledAfterSuccess(4),
        Promise.ACCEPTED_TWICE,
        "accepted as CANCELLED",
        "its invocation ended with SUCCESS");
  }

  private static Story cancelledAfterSuccess(int number) {
    LoadJob job =
        split(
            Story.job("split", SPLIT.timing(), Behaviour.FAIL),
            new Splitting(
                Splitting.Kind.MAP, 4, false, PartFailurePolicy.STOP, null, WorkerLossPolicy.SKIP));
    Story story = new Story().submitted(job, 9_000, Answer.ACCEPTED);
    for (int part = 1; part <= 5; part++) {
      boolean isCancelled = part == number;
      story
          .ran(RUN + part, job, 10_000, 1, 1, 10_010, 10_020L, isCancelled ? SUCCESS : FAILED)
          .recorded(
              RUN + part,
              job,
              10_000,
              1,
              1,
              isCancelled ? LedgerStatus.CANCELLED : LedgerStatus.FAILED,
              true,
              10_010,
              10_022)
          .asPart(RUN, part, 1);
    }
    return ended(
        story.ran(RUN, job, 10_000, 1, 1, 10_001, 10_005L, SUCCESS), LedgerStatus.FAILED, 10_100);
  }

  @Test
  void runThatMadePartsIsCancelledAlthoughItSucceededIfTheCancelCameFirst() {
    assertClean(cancelledBeforeItsParts("CANCELLED_WHILE_EXECUTING"));
    assertBroken(
        cancelledBeforeItsParts("ENDED_WHILE_EXECUTING"),
        Promise.ACCEPTED_TWICE,
        "accepted as CANCELLED",
        "its invocation ended with SUCCESS");
  }

  private static Story cancelledBeforeItsParts(String cause) {
    LoadJob job =
        split(
            Story.oneShot("split", 10_000),
            new Splitting(
                Splitting.Kind.MAP, 4, false, PartFailurePolicy.STOP, null, WorkerLossPolicy.SKIP));
    return new Story()
        .submitted(job, 9_000, Answer.ACCEPTED)
        .called(Kind.CANCEL, job, 10_004, Answer.DONE)
        .ran(RUN, job, 10_000, 1, 1, 10_001, 10_003L, SUCCESS)
        .recorded(RUN, job, 10_000, 1, 1, LedgerStatus.CANCELLED, true, 10_001, 10_006)
        .causedBy(cause);
  }

  @Test
  void runMayBeTooLateOnlyAfterItsTime() {
    LoadJob limited =
        split(
            Story.oneShot("split", 10_000),
            new Splitting(
                Splitting.Kind.SHARDS,
                2,
                false,
                PartFailurePolicy.FINISH,
                Duration.ofMillis(500),
                WorkerLossPolicy.SKIP));

    assertClean(tooLate(limited, 10_501));
    assertBrokenWith(tooLate(limited, 10_400), "because of its time");
    assertBrokenWith(tooLate(SPLIT, 10_501), "because of its time");
  }

  private static Story tooLate(LoadJob job, long at) {
    return new Story()
        .submitted(job, 9_000, Answer.ACCEPTED)
        .done(RUN + 1, job, 10_000, 10_010)
        .asPart(RUN, 1, 1)
        .passed(RUN + 2, job, LedgerStatus.CANCELLED, "BATCH_STOPPED", 10_000, 10_000, 1, 10_390)
        .asPart(RUN, 2, 1)
        .recorded(RUN, job, 10_000, 1, 1, LedgerStatus.DEAD, false, 10_001, at)
        .causedBy("NOT_ENDED_IN_TIME");
  }

  @Test
  void reduceMustFindWhatThePartsReturned() {
    LoadJob reduces =
        split(
            Story.oneShot("split", 10_000),
            new Splitting(
                Splitting.Kind.SHARDS,
                2,
                true,
                PartFailurePolicy.FINISH,
                null,
                WorkerLossPolicy.SKIP));

    assertClean(reduced(reduces, 2, 0, 51 + 52));
    assertBroken(reduced(reduces, 2, 0, 51), Promise.LOST, "the sum 51", "2, 0 and 103");
    assertBroken(reduced(reduces, 1, 0, 51 + 52), Promise.LOST, "found 1 parts");
    assertBroken(
        ended(
            new Story()
                .submitted(reduces, 9_000, Answer.ACCEPTED)
                .done(RUN + 1, reduces, 10_000, 10_010)
                .asPart(RUN, 1, 1)
                .done(RUN + 2, reduces, 10_000, 10_010)
                .asPart(RUN, 2, 1),
            LedgerStatus.SUCCEEDED,
            10_100),
        Promise.LOST,
        "without its reduce");
  }

  private static Story reduced(LoadJob job, int parts, int failed, long sum) {
    return new Story()
        .submitted(job, 9_000, Answer.ACCEPTED)
        .done(RUN + 1, job, 10_000, 10_010)
        .asPart(RUN, 1, 1)
        .done(RUN + 2, job, 10_000, 10_010)
        .asPart(RUN, 2, 1)
        .done(RUN + 3, job, 10_000, 10_030)
        .asPart(RUN, 3, 1)
        .reduced(RUN + 3, parts, failed, sum)
        .recorded(RUN, job, 10_000, 1, 1, LedgerStatus.SUCCEEDED, false, 10_001, 10_100);
  }

  @Test
  void partsOfAJobThatRequiresALabelRunOnlyWhereItIs() {
    LoadJob first =
        new LoadJob(
            "orders",
            "split",
            SPLIT.timing(),
            SPLIT.behaviour(),
            SPLIT.retries(),
            SPLIT.overlap(),
            SPLIT.misfire(),
            SPLIT.priority(),
            Splitting.shards(1),
            "first",
            null);
    assertClean(labelled(first, 1));
    assertBroken(
        labelled(first, 2), Promise.UNEXPLAINED_DUPLICATE, "worker-2", "has no label first");
  }

  private static Story labelled(LoadJob job, int worker) {
    return new Story()
        .submitted(job, 9_000, Answer.ACCEPTED)
        .ran(RUN + 1, job, 10_000, 1, worker, 10_010, 10_020L, Outcome.SUCCESS)
        .recorded(RUN + 1, job, 10_000, 1, worker, LedgerStatus.SUCCEEDED, true, 10_010, 10_021)
        .asPart(RUN, 1, 1)
        .recorded(RUN, job, 10_000, 1, 1, LedgerStatus.SUCCEEDED, false, 10_001, 10_100);
  }

  /** What breaks another check too: that of triggers, or that of ends. */
  private static void assertBrokenWith(Story story, String... words) {
    assertThat(story.judged().sentences())
        .anySatisfy(sentence -> assertThat(sentence).contains(words));
  }
}
