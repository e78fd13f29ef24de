package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.Verdicts.assertBroken;
import static io.millrace.torture.oracle.Verdicts.assertClean;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.torture.journal.Answer;
import io.millrace.torture.load.LoadJob;
import io.millrace.torture.load.Splitting;
import io.millrace.torture.nemesis.Fault;
import io.millrace.torture.nemesis.Victim;
import org.junit.jupiter.api.Test;

/** A broadcast to two workers that is recorded as it should be, and otherwise. */
class BroadcastsCheckTest {
  private static final long RUN = 50;
  private static final LoadJob ALL = broadcast(Story.oneShot("all", 10_000));
  private static final LoadJob BEFORE = Story.oneShot("before", 9_500);
  private static final LoadJob AFTER = Story.oneShot("after", 10_500);

  private static LoadJob broadcast(LoadJob job) {
    return new LoadJob(
        job.nodeGroup(),
        job.taskId(),
        job.timing(),
        job.behaviour(),
        job.retries(),
        job.overlap(),
        job.misfire(),
        job.priority(),
        Splitting.broadcast(),
        null,
        null);
  }

  private static Story begun() {
    return new Story().submitted(ALL, 9_000, Answer.ACCEPTED);
  }

  private static Story part(Story story, long id, int number, int attempt, int worker) {
    LedgerStatus status = attempt == 1 ? LedgerStatus.SUCCEEDED : LedgerStatus.RETRIED;
    return story
        .asShard(number, 2)
        .ran(id, ALL, 10_000, 1, worker, 10_010, 10_020L, Outcome.SUCCESS)
        .recorded(id, ALL, 10_000, 1, worker, status, true, 10_010, 10_021)
        .asPart(RUN, number, 1);
  }

  private static Story ended(Story story) {
    return story.recorded(RUN, ALL, 10_000, 1, 1, LedgerStatus.SUCCEEDED, false, 10_005, 10_100);
  }

  /** A worker runs something before the split, and after it. */
  private static Story living(Story story, int worker) {
    return story
        .submitted(BEFORE, 9_000, Answer.ACCEPTED)
        .submitted(AFTER, 9_000, Answer.ACCEPTED)
        .ran(30, BEFORE, 9_500, 1, worker, 9_510, 9_520L, Outcome.SUCCESS)
        .recorded(30, BEFORE, 9_500, 1, worker, LedgerStatus.SUCCEEDED, true, 9_510, 9_521)
        .ran(80, AFTER, 10_500, 1, worker, 10_510, 10_520L, Outcome.SUCCESS)
        .recorded(80, AFTER, 10_500, 1, worker, LedgerStatus.SUCCEEDED, true, 10_510, 10_521);
  }

  @Test
  void aPartForEachWorkerKeepsAllPromises() {
    assertClean(ended(part(part(living(begun(), 2), 51, 1, 1, 1), 52, 2, 1, 2)));
  }

  @Test
  void workerWithTwoPartsIsFound() {
    assertThat(ended(part(part(begun(), 51, 1, 1, 1), 52, 2, 1, 1)).judged().sentences())
        .singleElement()
        .asString()
        .contains("worker-1.1.runs belongs to [1, 2]");
  }

  @Test
  void workerThatLivedThroughoutAndHasNoPartIsFound() {
    assertBroken(
        ended(part(part(living(begun(), 3), 51, 1, 1, 1), 52, 2, 1, 2)),
        Promise.LOST,
        "orders/all",
        "without worker-3");
  }

  /** It worked 2.5 s before the split, which is no proof unless the tracker was restarted since. */
  @Test
  void workerThatWorkedBeforeARestartOfTheTrackerMustHaveAPart() {
    assertClean(ended(part(part(longBefore(), 51, 1, 1, 1), 52, 2, 1, 2)));
    assertBroken(
        ended(part(part(longBefore(), 51, 1, 1, 1), 52, 2, 1, 2))
            .fault(Fault.Kind.KILL, Victim.Part.TRACKER, 1, 8_000, 8_900),
        Promise.LOST,
        "without worker-3");
  }

  private static Story longBefore() {
    LoadJob before = Story.oneShot("before", 7_500);
    return begun()
        .submitted(before, 7_000, Answer.ACCEPTED)
        .submitted(AFTER, 9_000, Answer.ACCEPTED)
        .ran(30, before, 7_500, 1, 3, 7_510, 7_520L, Outcome.SUCCESS)
        .recorded(30, before, 7_500, 1, 3, LedgerStatus.SUCCEEDED, true, 7_510, 7_521)
        .ran(80, AFTER, 10_500, 1, 3, 10_510, 10_520L, Outcome.SUCCESS)
        .recorded(80, AFTER, 10_500, 1, 3, LedgerStatus.SUCCEEDED, true, 10_510, 10_521);
  }

  @Test
  void workerThatWasKilledMayHaveNoPart() {
    assertClean(
        ended(part(part(living(begun(), 3), 51, 1, 1, 1), 52, 2, 1, 2))
            .fault(Fault.Kind.KILL, Victim.Part.WORKER, 3, 9_900, 9_950));
  }

  @Test
  void partMayBeSkippedOnlyIfItsWorkerWasHit() {
    assertClean(skipped().fault(Fault.Kind.KILL, Victim.Part.WORKER, 2, 9_900, 9_950));
    assertBroken(skipped(), Promise.LOST, "ended SKIPPED", "without a reason");
  }

  private static Story skipped() {
    return ended(
        part(begun(), 51, 1, 1, 1)
            .passed(
                52,
                ALL,
                LedgerStatus.SKIPPED,
                "WORKER_GONE worker-2-orders",
                10_000,
                10_000,
                1,
                10_050)
            .asPart(RUN, 2, 1));
  }

  @Test
  void partThatRunsOnTwoWorkersIsFound() {
    assertThat(
            ended(part(part(part(begun(), 51, 1, 1, 1), 52, 2, 2, 2), 53, 2, 1, 3))
                .judged()
                .sentences())
        .anySatisfy(
            sentence ->
                assertThat(sentence)
                    .contains("part 2 belongs to", "worker-2.1.runs", "worker-3.1.runs"));
  }
}
