package io.millrace.jobtracker.cluster;

import static io.millrace.jobtracker.fixture.TrackersByHand.GROUP;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Declaration;
import io.millrace.api.DeclareResult;
import io.millrace.api.DeclareResult.Change;
import io.millrace.api.DeclareResult.JobResult;
import io.millrace.api.DeclareResult.Status;
import io.millrace.api.Job;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.DeclareRequest;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.fixture.TrackersByHand;
import io.millrace.jobtracker.store.Stores;
import io.millrace.tasktracker.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Declarations of an application's client, with two trackers. */
class DeclareClusterTest {
  private final TrackersByHand cluster =
      new TrackersByHand(ServiceConfig.DEFAULT, null, "a:1", "b:1");
  private final Stores stores = cluster.database.stores();

  @AfterEach
  void close() {
    cluster.close();
  }

  private static List<Job> jobs(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(
            i ->
                Job.builder(GROUP, "task-%05d".formatted(i))
                    .every(Duration.ofMinutes(10))
                    .param("i", "" + i)
                    .build())
        .toList();
  }

  private static Declaration.Builder set(long revision, List<Job> jobs) {
    return Declaration.builder().owner("shop").revision(revision).jobs(jobs).retireMissing(true);
  }

  private DeclareResult declare(JobClient client, Declaration declaration) {
    CompletableFuture<DeclareResult> result = client.async().declare(declaration);
    for (int i = 0; i < 100 && !result.isDone(); i++) {
      cluster.time.pass(Duration.ofSeconds(1));
    }
    assertThat(result).isCompleted();
    return result.join();
  }

  private long count(DeclareResult result, Change change) {
    return result.jobs().stream().map(JobResult::change).filter(change::equals).count();
  }

  private long live() {
    return stores.jobs().list(GROUP, "", 10_000).stream()
        .filter(job -> job.state().isLive())
        .count();
  }

  @Test
  void declaredJobRunsAndAResendOfTheSetChangesNothing() {
    List<String> ran = new ArrayList<>();
    cluster.worker(
        context -> {
          ran.add(context.taskId());
          return Result.success();
        },
        "a:1");
    JobClient client = cluster.client("b:1");

    DeclareResult first = declare(client, set(1, jobs(0, 3)).build());
    DeclareResult again = declare(client, set(1, jobs(0, 3)).build());

    assertThat(first.isComplete()).isTrue();
    assertThat(count(first, Change.ADDED)).isEqualTo(3);
    assertThat(count(again, Change.UNCHANGED)).isEqualTo(3);
    assertThat(ran).containsExactlyInAnyOrder("task-00000", "task-00001", "task-00002");
  }

  @Test
  void clientThatDiesBetweenPagesRetiresNothingAndItsSuccessorCompletesTheSet() {
    declare(cluster.client("a:1"), set(1, jobs(0, 2_000)).build());
    assertThat(live()).isEqualTo(2_000);
    JobClient dying = cluster.client("a:1");
    CompletableFuture<DeclareResult> unanswered =
        dying.async().declare(set(2, jobs(1_000, 3_000)).build());
    while (stores.declared().lockOwner("shop").jobs() % 1_000 != 750
        || stores.declared().lockOwner("shop").revision() != 2) {
      cluster.time.runOne();
    }
    dying.close();
    cluster.time.pass(Duration.ofSeconds(1));

    assertThat(unanswered).isCompletedExceptionally();
    assertThat(live()).as("nothing is retired").isGreaterThanOrEqualTo(2_000);

    DeclareResult completed = declare(cluster.client("b:1"), set(2, jobs(1_000, 3_000)).build());
    assertThat(completed.status()).isEqualTo(Status.DONE);
    assertThat(count(completed, Change.RETIRED)).isEqualTo(1_000);
    assertThat(count(completed, Change.ADDED) + count(completed, Change.UNCHANGED))
        .isEqualTo(2_000);
    assertThat(live()).isEqualTo(2_000);
    assertThat(stores.jobs().find(GROUP, "task-00000").orElseThrow().state())
        .isEqualTo(JobState.CANCELLED);
  }

  @Test
  void trackerThatDiesBetweenPagesIsReplacedByAnotherInTheMiddle() {
    JobClient client = cluster.client("a:1", "b:1");
    CompletableFuture<DeclareResult> result =
        client.async().declare(set(1, jobs(0, 2_000)).build());
    while (stores.declared().lockOwner("shop").jobs() != 750) {
      cluster.time.runOne();
    }
    cluster.stop("a:1");
    for (int i = 0; i < 60 && !result.isDone(); i++) {
      cluster.time.pass(Duration.ofSeconds(1));
    }

    assertThat(result).isCompleted();
    assertThat(result.join().status()).isEqualTo(Status.DONE);
    assertThat(result.join().jobs()).hasSize(2_000);
    assertThat(count(result.join(), Change.ADDED)).isEqualTo(2_000);
    assertThat(live()).isEqualTo(2_000);
  }

  @Test
  void olderApplicationIsToldThatItsSetIsOutdated() {
    declare(cluster.client("a:1"), set(2, jobs(0, 2)).build());

    DeclareResult old = declare(cluster.client("b:1"), set(1, jobs(0, 3)).build());

    assertThat(old.status()).isEqualTo(Status.OUTDATED);
    assertThat(old.isComplete()).isFalse();
    assertThat(live()).isEqualTo(2);
  }

  @Test
  void onlyClientsDeclare() {
    Session worker = cluster.connect(NodeRole.WORKER, null, "a:1").join();
    DeclareRequest request =
        new DeclareRequest("id", "shop", null, 0, true, false, false, false, List.of());

    CompletableFuture<?> refused =
        worker.call(request, Duration.ofSeconds(5)).toCompletableFuture();
    cluster.time.run();

    assertThat(refused)
        .failsWithin(Duration.ZERO)
        .withThrowableOfType(java.util.concurrent.ExecutionException.class)
        .withCauseInstanceOf(RpcException.class)
        .satisfies(
            failure ->
                assertThat(((RpcException) failure.getCause()).code())
                    .isEqualTo(ErrorCode.FORBIDDEN));
  }
}
