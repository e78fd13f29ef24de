package io.millrace.jobtracker.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.OutboxConfig;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.jobclient.JobClient;
import io.millrace.jobclient.SavedJobOutcome;
import io.millrace.jobtracker.purge.RetentionConfig;
import io.millrace.tasktracker.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that a client has saved run once, whatever the tracker had of them before. */
class ClientOutboxTest {
  private static final String CLIENT = "client-2";
  private static final Duration A_WHILE = Duration.ofSeconds(20);

  private final List<String> runs = new ArrayList<>();
  private final List<SavedJobOutcome> delivered = new ArrayList<>();
  @TempDir private Path directory;
  private SimulatedCluster cluster;

  @BeforeEach
  void start() {
    cluster =
        new SimulatedCluster(
            1,
            0,
            1,
            context -> {
              runs.add(context.taskId());
              return Result.success();
            });
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void savedWithoutATrackerRunsOnceWhenThereIsOne() {
    cluster.vanish(CLIENT);
    try (JobClient client = client(3)) {
      List<CompletableFuture<SubmitResult>> results = submit(client, 30);
      cluster.run(Duration.ofSeconds(2));
      assertSaved(results);

      cluster.reappear(CLIENT);
      cluster.run(A_WHILE);

      assertEachRanOnce(30);
      assertThat(client.saved()).isZero();
    }
  }

  @Test
  void savedAfterItsCommitRunsOnce() {
    cluster.loseSubmitReplies(true);
    try (JobClient client = client(3)) {
      List<CompletableFuture<SubmitResult>> results = submit(client, 30);
      cluster.run(Duration.ofSeconds(45));
      assertSaved(results);
      assertThat(runs).as("had been stored").isNotEmpty();

      cluster.loseSubmitReplies(false);
      cluster.run(A_WHILE);

      assertEachRanOnce(30);
      assertThat(client.saved()).isZero();
    }
  }

  @Test
  void savedAfterItsCommitRunsOnceAlsoWhenAnotherProcessDeliversIt() {
    cluster.loseSubmitReplies(true);
    try (JobClient client = client(3)) {
      assertThat(submit(client, 30)).isNotEmpty();
      cluster.run(Duration.ofSeconds(2));
      assertThat(runs).as("had been stored").isNotEmpty();
    }

    cluster.loseSubmitReplies(false);
    try (JobClient client = client(4)) {
      cluster.run(A_WHILE);

      assertEachRanOnce(30);
      assertThat(client.saved()).isZero();
    }
  }

  /** A resend is recognised by the ledger, so the ledger must remember for longer. */
  @Test
  void trackersRememberSubmissionsForLongerThanAnOutboxKeepsThem() {
    assertThat(RetentionConfig.LEAST_LEDGER_KEEP)
        .isGreaterThanOrEqualTo(OutboxConfig.MAX_AGE.plusHours(12));
    assertThat(OutboxConfig.MAX_AGE).isGreaterThanOrEqualTo(OutboxConfig.DEFAULT_AGE);
  }

  private JobClient client(long seed) {
    JobClient client =
        cluster.buildClient(CLIENT, seed).closeTimeout(Duration.ZERO).outbox(directory).build();
    client.onDelivered(delivered::add);
    return client;
  }

  private static List<CompletableFuture<SubmitResult>> submit(JobClient client, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> Job.builder(SimulatedCluster.GROUP, "t" + i).build())
        .map(client::submitAsync)
        .toList();
  }

  private static void assertSaved(List<CompletableFuture<SubmitResult>> results) {
    assertThat(results)
        .allSatisfy(
            result -> {
              assertThat(result).isCompleted();
              assertThat(result.join().status()).isEqualTo(SubmitStatus.SAVED_LOCALLY);
            });
  }

  private void assertEachRanOnce(int count) {
    String[] taskIds = IntStream.range(0, count).mapToObj(i -> "t" + i).toArray(String[]::new);
    assertThat(runs).containsExactlyInAnyOrder(taskIds);
    assertThat(cluster.ledger())
        .extracting(row -> row.key().taskId())
        .containsExactlyInAnyOrder(taskIds);
    assertThat(delivered)
        .hasSize(count)
        .allSatisfy(told -> assertThat(told.submitted().status()).isEqualTo(SubmitStatus.ACCEPTED));
  }
}
