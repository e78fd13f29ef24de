package io.millrace.jobtracker.cluster;

import static io.millrace.jobtracker.fixture.TrackersByHand.GROUP;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Disposition;
import io.millrace.api.Job;
import io.millrace.api.JobHandle;
import io.millrace.api.JobStatus;
import io.millrace.api.JobStatus.State;
import io.millrace.api.RunNowResult;
import io.millrace.api.TriggerResult;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.OutcomeReply;
import io.millrace.internal.protocol.OutcomeRequest;
import io.millrace.internal.rpc.Session;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.fixture.TrackersByHand;
import io.millrace.jobtracker.store.EveryDatabase;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;

/** What a job returned comes with its end, whichever tracker is asked, and however. */
class ResultsOfEndsTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int LARGE_CHARS = 60_000;

  record Receipt(long order, String text) {}

  private @Nullable TrackersByHand cluster;
  private final Map<String, JobClient> clients = new HashMap<>();

  @AfterEach
  void close() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private TrackersByHand cluster(TestDatabase.Kind kind) {
    TrackersByHand made =
        new TrackersByHand(kind.open(), ServiceConfig.DEFAULT, null, "a:1", "b:1");
    cluster = made;
    TaskTracker unused = made.worker(ResultsOfEndsTest::run, made.owner());
    return made;
  }

  private JobClient client(TrackersByHand cluster, String address) {
    return clients.computeIfAbsent(address, cluster::client);
  }

  private static Result run(JobContext job) {
    if (job.taskId().startsWith("large")) {
      return Result.of("x".repeat(LARGE_CHARS));
    }
    return switch (job.taskId()) {
      case "nothing" -> Result.success("done");
      case "bad" -> Result.failed("no such account");
      default -> Result.of(new Receipt(42, "Grüße 🌾"));
    };
  }

  private JobHandle submit(TrackersByHand cluster, Job job) {
    return Objects.requireNonNull(
        answer(cluster, client(cluster, cluster.owner()).async().submit(job)).handle());
  }

  private static <R> R answer(TrackersByHand cluster, CompletableFuture<R> answer) {
    cluster.time.run();
    assertThat(answer).isCompleted();
    return answer.join();
  }

  private static Receipt receipt() {
    return new Receipt(42, "Grüße 🌾");
  }

  @ParameterizedTest
  @EveryDatabase
  void awaitAndStatusTellTheResultAtEveryTracker(TestDatabase.Kind kind) {
    TrackersByHand cluster = cluster(kind);
    List<JobHandle> handles =
        List.of("close", "nothing", "bad").stream()
            .map(task -> submit(cluster, Job.builder(GROUP, task).after(MINUTE).build()))
            .toList();
    List<JobClient> askers =
        List.of(client(cluster, cluster.owner()), client(cluster, cluster.another()));
    List<List<CompletableFuture<TriggerResult>>> ends =
        askers.stream()
            .map(
                client ->
                    handles.stream()
                        .map(handle -> client.async().await(handle, MINUTE.plus(MINUTE)))
                        .toList())
            .toList();
    cluster.time.pass(MINUTE.minusSeconds(1));
    assertThat(ends).allSatisfy(some -> assertThat(some).noneMatch(CompletableFuture::isDone));
    cluster.time.pass(Duration.ofSeconds(4));

    for (List<CompletableFuture<TriggerResult>> some : ends) {
      assertThat(some).allMatch(CompletableFuture::isDone);
      assertEnds(some.stream().map(CompletableFuture::join).toList());
    }
    for (JobClient client : askers) {
      assertEnds(
          handles.stream()
              .map(handle -> answer(cluster, client.async().status(handle)).lastEnd())
              .toList());
    }
  }

  private static void assertEnds(List<TriggerResult> ends) {
    assertThat(ends)
        .extracting(TriggerResult::disposition)
        .containsExactly(Disposition.SUCCEEDED, Disposition.SUCCEEDED, Disposition.FAILED);
    assertThat(ends.get(0).result(Receipt.class)).contains(receipt());
    assertThat(ends.get(1).result()).as("returned no value").isNull();
    assertThat(ends.get(1).message()).isEqualTo("done");
    assertThat(ends.get(2).result()).as("failed").isNull();
  }

  @ParameterizedTest
  @EveryDatabase
  void recurringJobTellsTheResultOfItsLatestRunAndARunNowItsOwn(TestDatabase.Kind kind) {
    TrackersByHand cluster = cluster(kind);
    JobClient client = client(cluster, cluster.another());
    submit(cluster, Job.builder(GROUP, "report").every(Duration.ofHours(1)).build());
    cluster.time.pass(MINUTE);

    JobStatus status = answer(cluster, client.async().status(GROUP, "report"));
    assertThat(status.state()).isEqualTo(State.ACTIVE);
    assertThat(Objects.requireNonNull(status.lastEnd()).result(Receipt.class)).contains(receipt());

    RunNowResult run = answer(cluster, client.async().runNow(GROUP, "report"));
    CompletableFuture<TriggerResult> end =
        client.async().await(Objects.requireNonNull(run.handle()), MINUTE);
    cluster.time.pass(MINUTE.dividedBy(2));
    assertThat(end).isCompleted();
    assertThat(end.join().result(Receipt.class)).contains(receipt());
  }

  @ParameterizedTest
  @EveryDatabase
  void resultThatWasPurgedIsMissingAndItsEndIsNot(TestDatabase.Kind kind) {
    TrackersByHand cluster = cluster(kind);
    JobHandle handle = submit(cluster, Job.builder(GROUP, "close").build());
    cluster.time.pass(MINUTE);
    List<Long> ids =
        cluster.database.stores().ledger().readAfter(0, 10).stream().map(row -> row.id()).toList();
    assertThat(cluster.database.stores().results().delete(ids)).isEqualTo(1);

    TriggerResult end =
        answer(cluster, client(cluster, cluster.owner()).async().await(handle, MINUTE));

    assertThat(end.disposition()).isEqualTo(Disposition.SUCCEEDED);
    assertThat(end.result()).isNull();
  }

  /** Above a bound of bytes, ends are left to the next question, until all are told. */
  @ParameterizedTest
  @EveryDatabase
  void answerHasABoundedNumberOfBytes(TestDatabase.Kind kind) {
    TrackersByHand cluster = cluster(kind);
    List<JobHandle> handles =
        IntStream.range(0, OutcomeRequest.MAX_JOBS)
            .mapToObj(i -> submit(cluster, Job.builder(GROUP, "large-" + i).build()))
            .toList();
    List<CompletableFuture<TriggerResult>> awaited =
        handles.stream()
            .map(handle -> client(cluster, cluster.another()).async().await(handle, MINUTE))
            .toList();
    cluster.time.pass(MINUTE.dividedBy(2));
    assertThat(awaited).allMatch(end -> end.join().result().length() == LARGE_CHARS + 2);

    Session client = cluster.connect(NodeRole.CLIENT, null, cluster.another()).join();
    Set<JobHandle> open = new HashSet<>(handles);
    int questions = 0;
    while (!open.isEmpty()) {
      OutcomeReply reply =
          answer(cluster, client.call(new OutcomeRequest(List.copyOf(open), 0L), MINUTE));
      assertThat(reply.settled()).hasSizeBetween(1, (1 << 20) / LARGE_CHARS);
      reply.settled().forEach(status -> assertThat(open.remove(handleOf(status))).isTrue());
      questions++;
    }
    assertThat(questions).isEqualTo(4);
  }

  private static JobHandle handleOf(JobStatus status) {
    return new JobHandle(
        status.nodeGroup(), status.taskId(), Objects.requireNonNull(status.submissionId()));
  }
}
