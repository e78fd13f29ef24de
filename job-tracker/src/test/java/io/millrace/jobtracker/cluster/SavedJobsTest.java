package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.api.SubmitStatus;
import io.millrace.jobclient.JobClient;
import io.millrace.jobclient.SavedJobOutcome;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.fixture.FreePort;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client that was there before its tracker, over real sockets and a real disk. */
@Timeout(60)
class SavedJobsTest {
  private static final String GROUP = "orders";
  private static final int JOBS = 50;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path directory;

  @Test
  void jobsSavedWhileTheTrackerIsDownRunOnceWhenItIsUp() {
    int port = FreePort.find();
    Journal journal = new Journal();
    Queue<SavedJobOutcome> delivered = new ConcurrentLinkedQueue<>();
    try (TestDatabase database = TestDatabase.h2();
        JobClient client = client(port)) {
      client.onDelivered(delivered::add);
      assertThat(client.submitAll(jobs()))
          .allMatch(result -> result.status() == SubmitStatus.SAVED_LOCALLY);
      assertThat(client.cancel(GROUP, "t0").savedLocally()).isTrue();
      assertThat(client.awaitDelivered(PATIENCE)).isFalse();

      try (JobTracker tracker =
          JobTracker.create(JobTrackerConfig.local(port, database.config()))) {
        tracker.start();
        client.awaitConnected(PATIENCE);
        assertThat(client.awaitDelivered(PATIENCE)).isTrue();
        try (TaskTracker worker = worker(port, journal)) {
          worker.start();
          await().atMost(PATIENCE).until(() -> database.count("jt_history WHERE is_final") == JOBS);
        }
      }
      assertThat(database.count("jt_history WHERE status = 'CANCELLED' AND task_id = 't0'"))
          .isEqualTo(1);
      assertThat(database.count("jt_history WHERE status = 'SUCCEEDED'")).isEqualTo(JOBS - 1);
    }
    assertThat(journal.runs().stream().map(Run::trigger)).hasSize(JOBS - 1).doesNotHaveDuplicates();
    assertThat(delivered).hasSize(JOBS + 1).allMatch(SavedJobOutcome::isAnswered);
  }

  private JobClient client(int port) {
    return JobClient.builder()
        .trackers("127.0.0.1:" + port)
        .outboxPatience(Duration.ofMillis(200))
        .outbox(directory)
        .build();
  }

  private static List<Job> jobs() {
    return IntStream.range(0, JOBS).mapToObj(i -> Job.builder(GROUP, "t" + i).build()).toList();
  }

  private static TaskTracker worker(int port, Journal journal) {
    return TaskTracker.builder()
        .trackers("127.0.0.1:" + port)
        .nodeGroup(GROUP)
        .slots(8)
        .runner(journal.noting("worker-1", (context, times) -> Result.success()))
        .build();
  }
}
