package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.Verdicts.assertBroken;
import static io.millrace.torture.oracle.Verdicts.assertClean;

import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.jobtracker.domain.outcome.ReplayResult.Status;
import io.millrace.torture.journal.Answer;
import io.millrace.torture.load.Behaviour;
import io.millrace.torture.load.LoadJob;
import io.millrace.torture.load.Timing;
import org.junit.jupiter.api.Test;

class ReplaysCheckTest {
  private static final LoadJob DIES =
      Story.with(
          Story.job("dies", new Timing(Timing.Kind.AT, 10_000, 0, 0), Behaviour.THROW_ALWAYS),
          0,
          OverlapPolicy.ALLOW,
          MisfirePolicy.DEFAULT);

  private static Story dead(Long replayId) {
    return new Story()
        .submitted(DIES, 9_000, Answer.ACCEPTED)
        .died(1, DIES, 10_000, 10_001, replayId);
  }

  private static Story replayed() {
    return dead(71L).done(2, DIES, 10_000, 10_100).asReplay(1, 71, 0);
  }

  @Test
  void replayIsNoFurtherSubmit() {
    assertClean(replayed());
  }

  @Test
  void acknowledgedReplayIsRecorded() {
    assertClean(
        replayed()
            .replayAnswered(1, Status.REFUSED, null)
            .replayAnswered(1, Status.REPLAYED, 71L)
            .replayAnswered(1, Status.REPLAYED_BEFORE, 71L));
    assertBroken(
        dead(null).replayAnswered(1, Status.REPLAYED, 71L),
        Promise.LOST,
        "dead trigger 1 was replayed as 71, and its row says null");
    assertBroken(
        replayed().replayAnswered(1, Status.REPLAYED_BEFORE, 72L),
        Promise.LOST,
        "replayed as 72, and its row says 71");
  }

  @Test
  void knownDeadTriggerIsFound() {
    assertBroken(
        dead(null).replayAnswered(1, Status.NOT_FOUND, null), Promise.LOST, "answered NOT_FOUND");
  }

  @Test
  void recordedReplayIsInATable() {
    assertBroken(dead(71L), Promise.LOST, "dead trigger 1 was replayed", "which is in no table");
  }

  @Test
  void deadTriggerIsReplayedOnce() {
    LoadJob grid =
        Story.with(
            Story.every("grid", 10_000, 11_000, 1_000),
            0,
            OverlapPolicy.ALLOW,
            MisfirePolicy.latest());
    Story story =
        new Story()
            .submitted(grid, 9_000, Answer.ACCEPTED)
            .definition(grid, "FINISHED", 0)
            .died(1, grid, 10_000, 10_001, 71L)
            .done(2, grid, 10_000, 10_100)
            .asReplay(1, 71, 1);

    assertClean(story);
    assertBroken(
        story.done(3, grid, 10_000, 10_200).asReplay(1, 72, 2),
        Promise.ACCEPTED_TWICE,
        "(3) replays dead trigger 1");
  }

  /** With another policy than ALL a trigger of the schedule could not begin so late. */
  @Test
  void replayIsNotMissed() {
    LoadJob grid =
        Story.with(
            Story.every("grid", 10_000, 11_000, 1_000),
            0,
            OverlapPolicy.ALLOW,
            MisfirePolicy.none());

    assertClean(
        new Story()
            .submitted(grid, 9_000, Answer.ACCEPTED)
            .definition(grid, "FINISHED", 0)
            .died(1, grid, 10_000, 10_001, 71L)
            .done(2, grid, 10_000, 90_000)
            .asReplay(1, 71, 1));
  }
}
