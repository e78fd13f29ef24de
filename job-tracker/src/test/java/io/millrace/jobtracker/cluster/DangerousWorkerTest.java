package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Workers in processes of their own that a job ends, or that are stopped and come back. */
@Timeout(120)
class DangerousWorkerTest {
  private static final String GROUP = "orders";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Leases that run out while a test waits. */
  private static final ServiceConfig SHORT_LEASES =
      new ServiceConfig(
          Duration.ofSeconds(2),
          new ServiceConfig.Workers(Duration.ofMillis(1_500), Duration.ofMillis(300)),
          ServiceConfig.Preload.DEFAULT,
          Duration.ofMinutes(5));

  @TempDir Path directory;

  @Test
  void jobThatEndsItsJvmEndsDeadAndAWorkerThatWasStoppedLearnsWhatItLost() {
    try (TestDatabase database = TestDatabase.h2();
        JobTracker tracker =
            JobTracker.create(TrackerProcess.config(0, database.config(), SHORT_LEASES));
        JobClient client = client(tracker)) {
      endEveryJvm(database, tracker.address(), client);
      stopAWorkerForLongerThanItsLease(database, tracker.address(), client);
    }
  }

  private static JobClient client(JobTracker tracker) {
    tracker.start();
    return JobClient.builder().trackers(tracker.address()).build();
  }

  /** Each JVM runs one attempt; the attempts are used up before the JVMs are. */
  private void endEveryJvm(TestDatabase database, String address, JobClient client) {
    client.submit(
        Job.builder(GROUP, "killer").handler(DangerousWorkerProcess.HALT).retry(1).build());
    Path journal = directory.resolve("victims.journal");
    for (int i = 0; i < 2; i++) {
      try (ChildJvm victim = start(address, journal)) {
        await("the end of a victim").atMost(PATIENCE).until(() -> !victim.isAlive());
      }
    }
    await("the job's end").atMost(PATIENCE).until(() -> ends(database, "killer").size() == 2);
    assertThat(ends(database, "killer")).containsExactly("RESCUED 1", "DEAD 2");
    assertThat(JournalFile.runs(journal)).hasSize(2);
  }

  private void stopAWorkerForLongerThanItsLease(
      TestDatabase database, String address, JobClient client) {
    Path journal = directory.resolve("zombie.journal");
    AtomicInteger survivorsRuns = new AtomicInteger();
    try (ChildJvm zombie = start(address, journal);
        TaskTracker survivor = survivor(address, survivorsRuns)) {
      client.submit(Job.builder(GROUP, "close").handler(DangerousWorkerProcess.WAIT).build());
      await("its invocation").atMost(PATIENCE).until(() -> JournalFile.runs(journal).size() == 1);
      zombie.signal("STOP");
      survivor.start();
      await("another's run").atMost(PATIENCE).until(() -> ends(database, "close").size() == 2);

      zombie.signal("CONT");
      await("the end of its invocation")
          .atMost(PATIENCE)
          .until(() -> JournalFile.unfinished(journal).isEmpty());
      assertThat(zombie.stop()).as("its result was answered").isZero();
    }
    assertThat(ends(database, "close")).containsExactly("RESCUED 1", "SUCCEEDED 2");
    assertThat(survivorsRuns).hasValue(1);
  }

  private static TaskTracker survivor(String address, AtomicInteger runs) {
    return TaskTracker.builder()
        .trackers(address)
        .nodeGroup(GROUP)
        .slots(1)
        .pullInterval(Duration.ofMillis(200))
        .handler(
            DangerousWorkerProcess.WAIT,
            context -> {
              runs.incrementAndGet();
              return Result.success();
            })
        .build();
  }

  private ChildJvm start(String address, Path journal) {
    return DangerousWorkerProcess.start(directory.resolve("workers.log"), address, GROUP, journal);
  }

  /** Status and attempt of each ledger row of a task id, oldest first. */
  private static List<String> ends(TestDatabase database, String taskId) {
    return database.stores().ledger().readAfter(Long.MIN_VALUE, 100).stream()
        .filter(row -> row.key().taskId().equals(taskId))
        .map((LedgerEntry row) -> row.status() + " " + row.attempt())
        .toList();
  }
}
