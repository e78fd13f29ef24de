package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Explanation;
import io.millrace.api.Explanation.Fact;
import io.millrace.api.FactKind;
import io.millrace.api.Job;
import io.millrace.internal.rpc.RpcServerConfig;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.config.TrackerSettings;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client is told by a whole tracker with a whole worker. */
@Timeout(60)
class ExplainClusterTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final TestDatabase database = open(TestDatabase.h2());
  private final JobTracker tracker =
      open(
          JobTracker.create(
              new JobTrackerConfig(
                  RpcServerConfig.onLoopback(0),
                  JobTrackerConfig.DEFAULT_RPC_THREADS,
                  database.config(),
                  TrackerSettings.byDefault())));
  private final JobClient client = client();

  private JobClient client() {
    tracker.start();
    return open(JobClient.builder().trackers(tracker.address()).build());
  }

  private <T extends AutoCloseable> T open(T resource) {
    opened.push(resource);
    return resource;
  }

  @AfterEach
  void closeWhatIsOpen() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }

  private List<String> texts(String taskId, FactKind kind) {
    return client.explain("orders", taskId).facts().stream()
        .filter(fact -> fact.kind() == kind)
        .map(Fact::text)
        .toList();
  }

  @Test
  void jobIsExplainedFromItsSubmitToItsEnd() {
    client.submit(Job.builder("orders", "first").build());
    await()
        .atMost(TIMEOUT)
        .untilAsserted(
            () ->
                assertThat(texts("first", FactKind.DUE))
                    .singleElement()
                    .asString()
                    .endsWith(", but no worker of node group orders is connected."));

    CompletableFuture<Boolean> goOn = new CompletableFuture<>();
    TaskTracker worker =
        open(
            TaskTracker.builder()
                .trackers(tracker.address())
                .nodeGroup("orders")
                .slots(1)
                .runner(
                    context -> {
                      goOn.join();
                      return Result.success();
                    })
                .build());
    worker.start();
    await()
        .atMost(TIMEOUT)
        .untilAsserted(
            () ->
                assertThat(texts("first", FactKind.RUNNING))
                    .singleElement()
                    .asString()
                    .startsWith("It runs on worker ")
                    .doesNotContain("not connected"));

    client.submit(Job.builder("orders", "second").build());
    assertThat(texts("second", FactKind.DUE))
        .singleElement()
        .asString()
        .contains("of the 1 worker connected none has a free slot; 1 trigger of the node group");

    goOn.complete(true);
    await()
        .atMost(TIMEOUT)
        .untilAsserted(
            () ->
                assertThat(texts("second", FactKind.ENDED))
                    .singleElement()
                    .asString()
                    .startsWith("It succeeded at ")
                    .contains(", attempt 1;"));
  }

  @Test
  void unknownTaskIdNamesTheNearestOnes() {
    client.submit(Job.builder("orders", "report").every(Duration.ofHours(1)).build());

    Explanation explanation = client.explain("orders", "reprot");

    assertThat(explanation.isFound()).isFalse();
    assertThat(explanation.similarTaskIds()).containsExactly("report");
  }
}
