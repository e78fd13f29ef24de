package io.millrace.jobtracker.cluster;

import static io.millrace.jobtracker.fixture.TrackersByHand.GROUP;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.JobHandle;
import io.millrace.api.SubmitResult;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.OutcomeReply;
import io.millrace.internal.protocol.OutcomeRequest;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.fixture.TrackersByHand;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Questions about ends from a peer that asks what it likes. */
class OutcomeBoundsTest {
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final int MOST_OF_A_CONNECTION = 16;

  private final TrackersByHand cluster =
      new TrackersByHand(ServiceConfig.DEFAULT, null, "a:1", "b:1");
  private final JobClient client = cluster.client(cluster.owner());
  private final Session peer = cluster.connect(NodeRole.CLIENT, null, cluster.owner()).join();

  @AfterEach
  void close() {
    cluster.close();
  }

  private JobHandle submit(String taskId) {
    CompletableFuture<SubmitResult> submitted =
        client.async().submit(Job.builder(GROUP, taskId).after(LONG).build());
    cluster.time.run();
    return Objects.requireNonNull(submitted.join().handle());
  }

  private List<CompletableFuture<OutcomeReply>> ask(int times, OutcomeRequest request) {
    List<CompletableFuture<OutcomeReply>> answers =
        IntStream.range(0, times).mapToObj(i -> peer.call(request, LONG)).toList();
    cluster.time.run();
    return answers;
  }

  @Test
  void questionsAboveTheShareOfAConnectionDoNotWait() {
    JobHandle handle = submit("later");
    OutcomeRequest request = new OutcomeRequest(List.of(handle), Long.MAX_VALUE);

    List<CompletableFuture<OutcomeReply>> answers = ask(2 * MOST_OF_A_CONNECTION, request);
    assertThat(answers)
        .filteredOn(CompletableFuture::isDone)
        .hasSize(MOST_OF_A_CONNECTION)
        .allMatch(answer -> answer.join().settled().isEmpty());
    CompletableFuture<?> ofAnother = client.async().await(handle, LONG);
    cluster.time.run();

    cluster.time.pass(Duration.ofMillis(OutcomeRequest.MAX_WAIT_MILLIS));
    assertThat(answers).as("no wait is longer").allMatch(CompletableFuture::isDone);
    assertThat(ofAnother).isNotDone();
    assertThat(ask(MOST_OF_A_CONNECTION, request)).noneMatch(CompletableFuture::isDone);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, OutcomeRequest.MAX_JOBS + 1})
  void questionAboutNoJobOrTooManyIsRefused(int jobs) {
    OutcomeRequest request =
        new OutcomeRequest(Collections.nCopies(jobs, new JobHandle(GROUP, "a", "1")), 1L);

    CompletableFuture<OutcomeReply> answer = ask(1, request).get(0);

    assertThat(answer).isCompletedExceptionally();
    assertThat(answer.handle((unused, failure) -> failure).join())
        .isInstanceOfSatisfying(
            RpcException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_REQUEST))
        .hasMessageContaining("names 1 to 64 jobs, not " + jobs);
  }

  @Test
  void jobThatIsNamedTwiceIsToldOfAndLeavesNothingBehind() {
    JobHandle handle = submit("twice");
    OutcomeRequest twice = new OutcomeRequest(List.of(handle, handle), 5_000L);
    List<CompletableFuture<OutcomeReply>> answers = ask(MOST_OF_A_CONNECTION, twice);
    assertThat(answers).noneMatch(CompletableFuture::isDone);

    CompletableFuture<?> cancelled = client.async().cancel(GROUP, "twice");
    cluster.time.pass(Duration.ofSeconds(2));

    assertThat(cancelled).isCompleted();
    assertThat(answers).allMatch(answer -> !answer.join().settled().isEmpty());
    JobHandle next = submit("next");
    assertThat(ask(MOST_OF_A_CONNECTION, new OutcomeRequest(List.of(next), 5_000L)))
        .noneMatch(CompletableFuture::isDone);
  }
}
