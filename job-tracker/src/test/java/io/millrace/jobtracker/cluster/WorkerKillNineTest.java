package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.api.SubmitResult;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Workers in processes of their own, killed in the middle of a thousand jobs, one after another.
 */
@Timeout(120)
@Tag("database")
class WorkerKillNineTest {
  private static final String GROUP = "orders";
  private static final int JOBS = 1_000;
  private static final int VICTIMS = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path directory;

  private final List<ChildJvm> victims = new ArrayList<>();
  private final List<Integer> stuckAfter = new ArrayList<>();
  private final Journal survivorsJournal = new Journal();

  @Test
  void workOfAKilledWorkerIsDoneByOthersAndNothingThatWasDoneRunsAgain() {
    try (TestDatabase database = TestDatabase.ofThisRun();
        JobTracker tracker = JobTracker.create(TrackerProcess.config(0, database.config()))) {
      tracker.start();
      int submitted;
      try (JobClient client = JobClient.builder().trackers(tracker.address()).build();
          TaskTracker survivor = survivor(tracker.address())) {
        startVictims(tracker.address());
        submitted = submitUntilEveryVictimWorks(client);
        survivor.start();
        submitted += submit(client, "one", JOBS);
        killEachWhenItIsStuck();
        awaitEnds(database, submitted);
      } finally {
        victims.forEach(ChildJvm::close);
      }
      assertThat(database.count("jt_executing")).isZero();
      assertThat(database.count("jt_waiting_" + GROUP)).isZero();
      assertLedger(new LedgerSql(database), submitted);
    }
  }

  private TaskTracker survivor(String address) {
    return TaskTracker.builder()
        .trackers(address)
        .nodeGroup(GROUP)
        .id("survivor")
        .slots(4)
        .runner(
            survivorsJournal.noting(
                "survivor",
                (context, times) -> {
                  WorkerProcess.work();
                  return Result.success();
                }))
        .build();
  }

  private void startVictims(String address) {
    Random random = new Random(29);
    for (int i = 0; i < VICTIMS; i++) {
      stuckAfter.add(10 + 25 * i + random.nextInt(25));
      victims.add(WorkerProcess.start(log(), address, GROUP, id(i), journal(i), stuckAfter.get(i)));
    }
  }

  private Path log() {
    return directory.resolve("victims.log");
  }

  private static String id(int victim) {
    return "victim-" + victim;
  }

  private Path journal(int victim) {
    return directory.resolve(id(victim) + ".journal");
  }

  private int submitUntilEveryVictimWorks(JobClient client) {
    List<Integer> submitted = new ArrayList<>();
    await("an invocation on every victim")
        .atMost(PATIENCE)
        .until(
            () -> {
              submitted.add(submit(client, "warm-up-" + submitted.size(), 2 * VICTIMS));
              return IntStream.range(0, VICTIMS)
                  .noneMatch(victim -> JournalFile.runs(journal(victim)).isEmpty());
            });
    return submitted.stream().mapToInt(Integer::intValue).sum();
  }

  private static int submit(JobClient client, String prefix, int count) {
    List<SubmitResult> results =
        client.submitAll(
            IntStream.range(0, count)
                .mapToObj(i -> Job.builder(GROUP, prefix + "-" + i).retry(VICTIMS).build())
                .toList());
    assertThat(results).allMatch(SubmitResult::isStored);
    return count;
  }

  private void killEachWhenItIsStuck() {
    for (int i = 0; i < VICTIMS; i++) {
      int victim = i;
      await(id(victim) + " to be in the middle of an invocation")
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(5))
          .until(() -> JournalFile.runs(journal(victim)).size() > stuckAfter.get(victim));
      victims.get(victim).kill();
    }
  }

  private static void awaitEnds(TestDatabase database, int submitted) {
    LedgerSql ledger = new LedgerSql(database);
    await("ends of all jobs").atMost(PATIENCE).until(() -> ledger.ends() >= submitted);
  }

  private void assertLedger(LedgerSql ledger, int submitted) {
    assertThat(ledger.ends()).isEqualTo(submitted);
    assertThat(ledger.triggersNotEndedOnce()).isEmpty();
    assertThat(ledger.triggersWithoutSuccess()).isEmpty();
    assertThat(ledger.executionsAfterTheEnd()).isEmpty();
    assertThat(ledger.lostWorkers()).isEqualTo(victimIds());
    assertThat(ledger.rescuedWithoutTheNextAttempt()).isEmpty();

    List<Run> runs = new ArrayList<>(survivorsJournal.runs());
    for (int i = 0; i < VICTIMS; i++) {
      runs.addAll(JournalFile.runs(journal(i)));
      assertThat(JournalFile.unfinished(journal(i))).isNotEmpty();
      assertThat(ledger.rescued()).containsAll(JournalFile.unfinished(journal(i)));
    }
    assertThat(runs).extracting(Run::executionId).doesNotHaveDuplicates();
    assertThat(ledger.strangeRuns(runs)).isEmpty();
  }

  private static List<String> victimIds() {
    return IntStream.range(0, VICTIMS).mapToObj(WorkerKillNineTest::id).toList();
  }
}
