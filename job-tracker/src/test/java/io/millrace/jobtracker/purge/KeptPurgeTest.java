package io.millrace.jobtracker.purge;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.KeepRequest;
import io.millrace.internal.protocol.KeepStatus;
import io.millrace.internal.protocol.KeptKind;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.store.kept.KeptStore.KeptRun;
import io.millrace.jobtracker.store.kept.KeptStore.Run;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What runs kept is deleted once their triggers live nowhere, and not before. */
class KeptPurgeTest extends PurgeTest {
  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  private Assignment keeping(String taskId, RetryPolicy retry) {
    tracker.submit(job(taskId).retry(retry).build());
    Assignment assignment = worker.takeOne();
    keep(assignment);
    return assignment;
  }

  private void keep(Assignment assignment) {
    KeepRequest request =
        new KeepRequest(assignment.executionId(), 1, KeptKind.STEP, "charge", "1");
    assertThat(stores.kept().write("worker-1", request, time.millis())).isEqualTo(KeepStatus.KEPT);
  }

  private List<String> left() {
    runAll(purger());
    return stores.kept().runs(Run.FIRST, 100).stream().map(KeptRun::taskId).sorted().toList();
  }

  private void passQuiet() {
    for (long minutes = 0; minutes <= KeptPurge.QUIET.toMinutes(); minutes += 10) {
      time.pass(Duration.ofMinutes(10));
      worker.beat();
    }
  }

  @Test
  void liveAndDeadOnesStayAndWhatHasEndedGoes() {
    keeping("runs", RetryPolicy.retries(3));
    worker.report(keeping("waits", RetryPolicy.retries(3)), Outcome.EXCEPTION);
    worker.report(keeping("dead", RetryPolicy.NONE), Outcome.EXCEPTION);
    worker.report(keeping("gone", RetryPolicy.NONE), Outcome.EXCEPTION);
    worker.succeed(keeping("ended", RetryPolicy.NONE));
    worker.report(keeping("cancelled", RetryPolicy.retries(3)), Outcome.EXCEPTION);
    tracker.cancel("cancelled");
    byHand("DELETE FROM jt_dead WHERE task_id = 'gone'");
    assertThat(left()).as("all are young").hasSize(6);

    passQuiet();

    assertThat(left()).containsExactly("dead", "runs", "waits");
  }

  @Test
  void whatTheLedgerForgotGoesUnlessItLives() {
    keeping("runs", RetryPolicy.retries(3));
    worker.succeed(keeping("ended", RetryPolicy.NONE));
    worker.report(keeping("waits", RetryPolicy.retries(3)), Outcome.EXCEPTION);
    byHand("DELETE FROM jt_history");
    passQuiet();

    assertThat(left()).containsExactly("runs", "waits");
  }

  @Test
  void replayKeepsItAndTheEndOfTheReplayReleasesIt() {
    worker.report(keeping("close", RetryPolicy.NONE), Outcome.EXCEPTION);
    tracker.replay(dead("close").get(0).id());
    passQuiet();
    assertThat(left()).containsExactly("close");

    worker.succeed(worker.takeOne());
    passQuiet();
    assertThat(left()).isEmpty();
  }

  /**
   * A replay has a row from its beginning, even if no run has kept anything: the first run's key.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void keyOfTheFirstRunGoesWithTheLastReplay(boolean recurring) {
    Job.Builder close = job("close").retry(RetryPolicy.NONE);
    tracker.submit((recurring ? close.every(Duration.ofDays(1)) : close).build());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    assertThat(left()).isEmpty();

    tracker.replay(dead("close").get(0).id());
    passQuiet();
    assertThat(left()).as("the replay waits").containsExactly("close");
    Assignment replay = worker.takeOne();
    passQuiet();
    assertThat(left()).as("it runs").containsExactly("close");
    worker.report(replay, Outcome.EXCEPTION);
    passQuiet();
    assertThat(left()).as("it is dead and may be replayed").containsExactly("close");

    tracker.replay(dead("close").get(1).id());
    worker.succeed(worker.takeOne());
    assertThat(left()).as("it is young no more, and lives nowhere").isEmpty();
  }

  @Test
  void keyOfTheFirstRunGoesWhenTheDeadReplayIsForgotten() {
    tracker.submit(job("close").retry(RetryPolicy.NONE).build());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    tracker.replay(dead("close").get(0).id());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    byHand("DELETE FROM jt_dead");
    passQuiet();

    assertThat(left()).isEmpty();
  }

  @Test
  void whatAPartKeptGoesWithItsRun() {
    tracker.submit(job("close").shards(2).retry(RetryPolicy.NONE).build());
    Assignment part = worker.takeOne();
    Assignment other = worker.takeOne();
    keep(part);
    worker.report(part, Outcome.EXCEPTION);
    passQuiet();
    assertThat(left()).as("the part is dead and may be replayed").hasSize(1);

    worker.succeed(other);
    tracker.runBatches();
    assertThat(ends("close")).containsExactly("DEAD");
    assertThat(left()).isEmpty();
  }

  @Test
  void groupThatWasRemovedKeepsNothing() {
    keeping("ended", RetryPolicy.NONE);
    byHand("DELETE FROM jt_executing");
    byHand("UPDATE jt_kept SET node_group = 'removed'");
    passQuiet();

    assertThat(left()).isEmpty();
    assertThat(HandDrivenTracker.GROUP).isEqualTo("orders");
  }

  @Test
  void manyRunsAreLookedAtInPortions() {
    for (int i = 0; i < 25; i++) {
      worker.succeed(keeping("ended-" + i, RetryPolicy.NONE));
    }
    keeping("runs", RetryPolicy.retries(3));
    passQuiet();

    assertThat(left()).containsExactly("runs");
  }
}
