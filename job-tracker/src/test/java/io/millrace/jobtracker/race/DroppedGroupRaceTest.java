package io.millrace.jobtracker.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.jobtracker.domain.lease.LeaseTable;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.fixture.RecordedSignals;
import io.millrace.jobtracker.group.reconcile.NodeGroupTables;
import io.millrace.jobtracker.store.EveryDatabase;
import io.millrace.jobtracker.store.NodeGroupStore;
import io.millrace.jobtracker.store.Racer;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.failure.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Submits of trackers that know a node group against its owner, which drops it. */
class DroppedGroupRaceTest {
  private static final String GROUP = "race";
  private static final int OWNER = 50;
  private static final int ROUNDS = 50;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path directory;

  /** H2 in a file, where one transaction at a time writes, as trackers have it. */
  private TestDatabase open(TestDatabase.Kind kind) {
    return kind.isServer() ? kind.open() : TestDatabase.h2(directory);
  }

  @ParameterizedTest
  @EveryDatabase
  void nothingThatWasAcceptedIsMissing(TestDatabase.Kind kind) {
    try (TestDatabase database = open(kind);
        Racer racer = new Racer()) {
      NodeGroupStore groups = database.stores().nodeGroups();
      Stores others = database.anotherTracker();
      HandDrivenTracker one = new HandDrivenTracker(11, database.stores(), new HandTime());
      HandDrivenTracker two = new HandDrivenTracker(12, others, new HandTime());
      int dropped = 0;
      for (int round = 0; round < ROUNDS; round++) {
        Job once = Job.builder(GROUP, "once-" + round).build();
        Job yearly = Job.builder(GROUP, "yearly-" + round).cron("0 0 9 1 1 ?").build();
        long epoch = groups.ensure(GROUP, 10).epoch();
        assertThat(groups.takeOwnership(GROUP, OWNER, epoch)).isTrue();

        List<Boolean> done =
            racer.together(
                List.<Callable<Boolean>>of(
                    () -> drop(others.nodeGroups(), epoch + 1),
                    () -> submit(one, once),
                    () -> submit(two, yearly)));

        dropped += done.get(0) ? 1 : 0;
        heal(groups);
        assertThat(groups.find(GROUP)).as("the group of round " + round).isPresent();
        assertThat(database.stores().waiting().findByTask(GROUP, once.taskId()))
            .as("round " + round)
            .hasSize(1);
        assertThat(database.stores().jobs().find(GROUP, yearly.taskId()))
            .as("round " + round)
            .isPresent();
        database.execute("DELETE FROM jt_waiting_race");
        database.execute("DELETE FROM jt_job");
      }
      assertThat(dropped).as("rounds in which the group was dropped").isBetween(1, ROUNDS);
    }
  }

  private static boolean drop(NodeGroupStore groups, long epoch) {
    try {
      return groups.drop(GROUP, OWNER, epoch, 0);
    } catch (StoreException e) {
      return false;
    }
  }

  /** As a client does: what was not stored is sent again, until it is. */
  private static boolean submit(HandDrivenTracker tracker, Job job) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              SubmitResult result = tracker.submit(job);
              if (!result.isStored()) {
                assertThat(result.reason())
                    .as(result.message())
                    .isEqualTo(RejectReason.UNAVAILABLE);
              }
              return result.isStored();
            });
    return true;
  }

  private static void heal(NodeGroupStore groups) {
    NodeGroupTables tables =
        new NodeGroupTables(groups, new RecordedSignals(new LeaseTable(1_000, 60_000)));
    tables.runOnce(0);
    tables.runOnce(NodeGroupTables.GRACE_MILLIS);
  }
}
