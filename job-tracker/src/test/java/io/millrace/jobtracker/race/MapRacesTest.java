package io.millrace.jobtracker.race;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.jobtracker.domain.outcome.ReplayResult.Status;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.group.batch.BatchTask;
import io.millrace.jobtracker.store.EveryDatabase;
import io.millrace.jobtracker.store.Racer;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** What two trackers do at once with runs that are split by their handlers. */
@ParameterizedClass(name = "{0}")
@EveryDatabase
class MapRacesTest {
  private static final int ROUNDS = 15;

  @Parameter TestDatabase.Kind kind;

  private TestDatabase database;
  private Stores stores;
  private HandDrivenTracker one;
  private HandDrivenTracker other;
  private HandDrivenWorker worker;

  @BeforeEach
  void openTrackers() {
    database = kind.open();
    stores = database.stores();
    other = new HandDrivenTracker(2, database.anotherTracker(), new HandTime());
    one = new HandDrivenTracker(1, stores, new HandTime());
    worker = one.worker("worker-1");
  }

  @AfterEach
  void closeDatabase() {
    database.close();
  }

  private Assignment running(String taskId) {
    one.submit(job(taskId).build());
    return worker.takeOne();
  }

  private List<Assignment> takeParts() {
    one.runBatches();
    return worker.take(10);
  }

  private List<String> ends(String taskId) {
    return stores.ledger().readAfter(Long.MIN_VALUE, 10_000).stream()
        .filter(row -> row.key().taskId().equals(taskId))
        .map(row -> row.status().name())
        .toList();
  }

  private static Callable<Boolean> searching(HandDrivenTracker tracker) {
    return () -> {
      tracker.time().pass(BatchTask.PERIOD);
      var unused = tracker.runBatches();
      return true;
    };
  }

  /**
   * The answer of the tracker that split the run was lost; the one that claimed it has it in
   * memory.
   */
  @Test
  void splitByAnotherTrackerIsAcceptedByTheOneThatClaimedTheRun() {
    Assignment run = running("index");
    worker.stage(run, 3);

    assertThat(worker.movedTo(other).split(run, 3)).isEqualTo(CompletionStatus.ACCEPTED);
    assertThat(worker.split(run, 3)).isEqualTo(CompletionStatus.ACCEPTED);

    assertThat(takeParts()).hasSize(3);
  }

  @Test
  void runIsEitherSplitOrCancelledBeforeAndEndsOnceCancelled() {
    try (Racer racer = new Racer()) {
      for (int round = 0; round < ROUNDS; round++) {
        String taskId = "index-" + round;
        Assignment run = running(taskId);
        worker.stage(run, 3);

        List<Boolean> done =
            racer.together(
                List.<Callable<Boolean>>of(
                    () -> worker.split(run, 3) != null, () -> other.cancel(taskId).found()));

        assertThat(done).containsOnly(true);
        one.time().pass(BatchTask.PERIOD);
        one.runBatches();
        assertThat(worker.take(5)).isEmpty();
        assertThat(stores.waiting().findByTask(GROUP, PartKey.taskIdOf(run.executionId())))
            .isEmpty();
        assertThat(ends(taskId)).containsExactly("CANCELLED");
        assertThat(stores.batches().find(List.of(run.executionId()))).isEmpty();
      }
    }
  }

  @Test
  void partIsEitherSplitOrStoppedBeforeWithItsRun() {
    try (Racer racer = new Racer()) {
      for (int round = 0; round < ROUNDS; round++) {
        String taskId = "index-" + round;
        worker.map(running(taskId), 1);
        Assignment part = takeParts().get(0);
        worker.stage(part, 3);

        racer.together(
            List.<Callable<Boolean>>of(
                () -> worker.split(part, 3) != null, () -> other.cancel(taskId).found()));

        one.time().pass(BatchTask.PERIOD);
        one.runBatches();
        assertThat(worker.take(5)).isEmpty();
        assertThat(ends(taskId)).containsExactly("CANCELLED");
        assertThat(stores.batches().find(List.of(part.executionId()))).isEmpty();
      }
    }
  }

  @Test
  void runsBelowThatTwoTrackersEndAreCountedOnceEach() {
    try (Racer racer = new Racer()) {
      for (int round = 0; round < ROUNDS; round++) {
        String taskId = "index-" + round;
        Assignment run = running(taskId);
        worker.map(run, 4);
        List<Assignment> leaves = new ArrayList<>();
        for (Assignment part : takeParts()) {
          worker.map(part, 1);
          leaves.addAll(takeParts());
        }
        leaves.forEach(worker::succeed);

        racer.together(List.of(searching(one), searching(other)));

        one.time().pass(BatchTask.PERIOD);
        one.runBatches();
        assertThat(ends(taskId)).containsExactly("SUCCEEDED");
        assertThat(stores.ledger().findByJob(run.executionId()))
            .extracting(LedgerEntry::instants)
            .hasSize(4);
      }
    }
  }

  @Test
  void reduceIsReleasedByOneOfTwo() {
    try (Racer racer = new Racer()) {
      for (int round = 0; round < ROUNDS; round++) {
        String taskId = "index-" + round;
        one.submit(job(taskId).reduce("sum").build());
        Assignment run = worker.takeOne();
        worker.map(run, 0);

        racer.together(List.of(searching(one), searching(other)));

        List<Assignment> reduces = worker.take(5);
        assertThat(reduces).hasSize(1);
        worker.succeed(reduces.get(0));
        one.runBatches();
        assertThat(ends(taskId)).containsExactly("SUCCEEDED");
      }
    }
  }

  private Assignment takeMortal(String taskId, int parts) {
    one.submit(job(taskId).retry(RetryPolicy.NONE).build());
    Assignment run = worker.takeOne();
    worker.map(run, parts);
    return run;
  }

  /** The lock on the batch decides which was first: the replay, or the end of the run. */
  @Test
  void deadPartIsReplayedBeforeTheEndOfItsRunOrNotAtAll() {
    try (Racer racer = new Racer()) {
      for (int round = 0; round < ROUNDS; round++) {
        String taskId = "index-" + round;
        long run = takeMortal(taskId, 2).executionId();
        List<Assignment> parts = takeParts();
        Assignment dead = parts.get(0);
        worker.report(dead, Outcome.EXCEPTION);
        ReplayResult[] answer = {null};

        racer.together(
            List.<Callable<Boolean>>of(
                () -> {
                  worker.succeed(parts.get(1));
                  one.runBatches();
                  return true;
                },
                () -> {
                  answer[0] = other.replay(dead.executionId());
                  return true;
                }));

        boolean wasReplayed = answer[0].status() == Status.REPLAYED;
        assertThat(ends(taskId))
            .as("%s", answer[0])
            .isEqualTo(wasReplayed ? List.of() : List.of("DEAD"));
        one.time().pass(BatchTask.PERIOD);
        one.runBatches();
        worker.take(5).forEach(worker::succeed);
        one.runBatches();
        assertThat(ends(taskId)).containsExactly(wasReplayed ? "SUCCEEDED" : "DEAD");
        assertThat(stores.ledger().findByJob(run)).hasSize(wasReplayed ? 3 : 2);
      }
    }
  }

  @Test
  void deadPartIsReplayedOnceByTwo() {
    try (Racer racer = new Racer()) {
      for (int round = 0; round < ROUNDS; round++) {
        String taskId = "index-" + round;
        long run = takeMortal(taskId, 2).executionId();
        List<Assignment> parts = takeParts();
        worker.report(parts.get(0), Outcome.EXCEPTION);
        long dead = parts.get(0).executionId();

        List<Status> answers =
            racer.together(
                List.<Callable<Status>>of(
                    () -> one.replay(dead).status(), () -> other.replay(dead).status()));

        assertThat(answers).containsExactlyInAnyOrder(Status.REPLAYED, Status.REPLAYED_BEFORE);
        assertThat(stores.batches().find(List.of(run)).get(0).counts().total()).isEqualTo(3);
        worker.succeed(parts.get(1));
        one.time().pass(BatchTask.PERIOD);
        one.runBatches();
        List<Assignment> again = worker.take(5);
        assertThat(again).hasSize(1);
        worker.succeed(again.get(0));
        one.runBatches();
        assertThat(ends(taskId)).containsExactly("SUCCEEDED");
      }
    }
  }

  @Test
  void deadRunIsReplayedOnceByTwoOfWhomOneKeepsWhatSucceeded() {
    try (Racer racer = new Racer()) {
      for (int round = 0; round < ROUNDS; round++) {
        String taskId = "index-" + round;
        long run = takeMortal(taskId, 2).executionId();
        List<Assignment> parts = takeParts();
        worker.report(parts.get(0), Outcome.EXCEPTION);
        worker.succeed(parts.get(1));
        one.runBatches();

        List<Status> answers =
            racer.together(
                List.<Callable<Status>>of(
                    () -> one.replayKeeping(run).status(), () -> other.replay(run).status()));

        assertThat(answers).containsExactlyInAnyOrder(Status.REPLAYED, Status.REPLAYED_BEFORE);
        one.time().pass(BatchTask.PERIOD);
        one.runBatches();
        Assignment again = worker.takeOne();
        if (again.part() == null) {
          worker.map(again, 0);
        } else {
          worker.succeed(again);
        }
        one.runBatches();
        assertThat(ends(taskId)).containsExactly("DEAD", "SUCCEEDED");
      }
    }
  }
}
