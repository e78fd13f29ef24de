package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.api.OutboxConfig;
import io.millrace.api.SubmitResult;
import io.millrace.internal.outbox.Outbox;
import io.millrace.internal.time.SystemClock;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.fixture.FreePort;
import io.millrace.jobtracker.store.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Invocations end while there is no tracker, and their worker is killed before there is one again:
 * its next process reports them, and nothing runs twice.
 */
@Timeout(60)
class ResultsOutliveTheWorkerTest {
  private static final String GROUP = "orders";
  private static final int JOBS = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path directory;

  private final int port = FreePort.find();

  @Test
  void triggerWhoseResultWaitedOnTheDiskRanOnceAndSucceeded() throws IOException {
    try (TestDatabase database = TestDatabase.h2();
        ChildJvm worker = startWorker()) {
      try (JobTracker tracker = startTracker(database)) {
        submit(tracker);
        await("an invocation for each job").atMost(PATIENCE).until(() -> runs().size() == JOBS);
      }
      Files.createFile(gate());
      await("results in the outbox").atMost(PATIENCE).until(() -> storedResults() == JOBS);
      worker.kill();
      assertOneSuccessEach(database);
    }
    assertThat(runs()).hasSize(JOBS).extracting(Run::attempt).containsOnly(1);
  }

  private void assertOneSuccessEach(TestDatabase database) {
    LedgerSql ledger = new LedgerSql(database);
    assertThat(ledger.ends()).isZero();
    ChildJvm again = startWorker();
    try (JobTracker tracker = startTracker(database)) {
      await("ends of all jobs").atMost(PATIENCE).until(() -> ledger.ends() == JOBS);
      await("an empty outbox").atMost(PATIENCE).until(() -> storedResults() == 0);
      assertThat(tracker.address()).endsWith(":" + port);
    } finally {
      again.close();
    }
    assertThat(ledger.triggersWithoutSuccess()).isEmpty();
    assertThat(ledger.triggersNotEndedOnce()).isEmpty();
    assertThat(ledger.rescued()).isEmpty();
    assertThat(ledger.strangeRuns(runs())).isEmpty();
  }

  private ChildJvm startWorker() {
    return OutboxWorkerProcess.start(
        directory.resolve("worker.log"), "127.0.0.1:" + port, GROUP, outbox(), journal(), gate());
  }

  private JobTracker startTracker(TestDatabase database) {
    JobTracker tracker = JobTracker.create(JobTrackerConfig.local(port, database.config()));
    tracker.start();
    return tracker;
  }

  private static void submit(JobTracker tracker) {
    try (JobClient client = JobClient.builder().trackers(tracker.address()).build()) {
      List<SubmitResult> results =
          client.submitAll(
              IntStream.range(0, JOBS)
                  .mapToObj(i -> Job.builder(GROUP, "task-" + i).retry(3).build())
                  .toList());
      assertThat(results).allMatch(SubmitResult::isStored);
    }
  }

  /** Read from a copy: the worker has the outbox itself. */
  private int storedResults() throws IOException {
    Path copy = Files.createTempDirectory(directory, "copy");
    Files.copy(outbox().resolve("outbox.mv"), copy.resolve("outbox.mv"));
    try (Outbox copied = Outbox.open(OutboxConfig.of(copy), new SystemClock())) {
      return copied.size();
    }
  }

  private List<Run> runs() {
    return JournalFile.runs(journal());
  }

  private Path outbox() {
    return directory.resolve("outbox");
  }

  private Path journal() {
    return directory.resolve("journal");
  }

  private Path gate() {
    return directory.resolve("gate");
  }
}
