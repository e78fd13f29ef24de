package io.millrace.jobclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Declaration;
import io.millrace.api.DeclareResult;
import io.millrace.api.DeclareResult.Change;
import io.millrace.api.DeclareResult.JobResult;
import io.millrace.api.DeclareResult.Status;
import io.millrace.api.Job;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.protocol.DeclareReply;
import io.millrace.internal.protocol.DeclareRequest;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.jobclient.fake.FakeConnector;
import io.millrace.jobclient.fake.FakeSession;
import io.millrace.jobclient.internal.resources.ClientResources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Declarations go in pages, each after the answer to the one before. */
@Timeout(30)
class DeclareTest {
  private final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T00:00:00Z"));
  private final ManualTimer timer = new ManualTimer(clock);
  private final FakeConnector connector = new FakeConnector();
  private final ClientResources resources =
      new ClientResources(clock, timer, Runnable::run, Runnable::run, connector, new Random(1));
  private final JobClient client =
      JobClient.builder()
          .trackers("127.0.0.1:35001")
          .closeTimeout(Duration.ZERO)
          .resources(resources)
          .build();

  @AfterEach
  void close() {
    client.close();
  }

  private static List<Job> jobs(int count) {
    return IntStream.range(0, count).mapToObj(i -> job("task-" + i).build()).toList();
  }

  private static Job.Builder job(String taskId) {
    return Job.builder("orders", taskId).every(Duration.ofMinutes(1));
  }

  private static Declaration.Builder set(List<Job> jobs) {
    return Declaration.builder().owner("shop").jobs(jobs);
  }

  private FakeSession.Call last() {
    return connector.session().last();
  }

  private DeclareRequest sent(int index) {
    return (DeclareRequest) connector.session().calls().get(index).request();
  }

  private static DeclareReply done(DeclareRequest request, boolean more) {
    List<JobResult> results =
        request.jobs().stream()
            .map(job -> new JobResult("orders", job.taskId(), Change.ADDED, null, null))
            .toList();
    return new DeclareReply(Status.DONE, null, results, more);
  }

  private void answerLast() {
    last().answer(done((DeclareRequest) last().request(), false));
  }

  @Test
  void pagesFollowTheAnswersUnderOneId() throws Exception {
    Declaration set =
        set(jobs(600)).revision(7).retireMissing(true).adopt(true).force(true).build();
    CompletableFuture<DeclareResult> result = client.async().declare(set);
    assertThat(connector.session().calls()).hasSize(1);
    answerLast();
    assertThat(connector.session().calls()).hasSize(2);
    answerLast();
    assertThat(result).isNotDone();
    answerLast();

    assertThat(result.get().isComplete()).isTrue();
    assertThat(result.get().jobs()).hasSize(600);
    for (int page = 0; page < 3; page++) {
      DeclareRequest request = sent(page);
      assertThat(request.page()).isEqualTo(page);
      assertThat(request.last()).isEqualTo(page == 2);
      assertThat(request.declarationId()).isEqualTo(sent(0).declarationId()).hasSize(36);
      assertThat(request.owner()).isEqualTo("shop");
      assertThat(request.revision()).isEqualTo(7);
      assertThat(request.retireMissing() && request.adopt() && request.force()).isTrue();
    }
    assertThat(sent(1).jobs()).hasSize(250);
    assertThat(sent(2).jobs()).hasSize(100);
  }

  @Test
  void pagesAreBoundedByBytesToo() {
    List<Job> large =
        IntStream.range(0, 3)
            .mapToObj(i -> job("task-" + i).param("p", "x".repeat(600_000)).build())
            .toList();
    CompletableFuture<DeclareResult> result = client.async().declare(set(large).build());
    answerLast();
    answerLast();
    answerLast();

    assertThat(result).isCompleted();
    assertThat(connector.session().calls()).hasSize(3);
  }

  @Test
  void emptySetIsOnePage() {
    CompletableFuture<DeclareResult> result = client.async().declare(set(List.of()).build());
    assertThat(sent(0).jobs()).isEmpty();
    assertThat(sent(0).last()).isTrue();
    answerLast();

    assertThat(result).isCompleted();
  }

  @Test
  void emptyPagesFollowWhileJobsRemainToBeRetired() throws Exception {
    CompletableFuture<DeclareResult> result =
        client.async().declare(set(jobs(1)).retireMissing(true).build());
    last().answer(done(sent(0), true));
    assertThat(sent(1).page()).isEqualTo(1);
    assertThat(sent(1).last()).isTrue();
    assertThat(sent(1).jobs()).isEmpty();
    JobResult retired = new JobResult("orders", "gone", Change.RETIRED, null, null);
    last().answer(new DeclareReply(Status.DONE, null, List.of(retired), false));

    assertThat(result.get().jobs()).extracting(JobResult::change).contains(Change.RETIRED);
  }

  @Test
  void declarationThatIsSupersededEndsWithWhatWasDone() throws Exception {
    CompletableFuture<DeclareResult> result = client.async().declare(set(jobs(600)).build());
    answerLast();
    last().answer(new DeclareReply(Status.SUPERSEDED, "another began", List.of(), false));

    assertThat(result.get().status()).isEqualTo(Status.SUPERSEDED);
    assertThat(result.get().message()).isEqualTo("another began");
    assertThat(result.get().jobs()).hasSize(250);
    assertThat(result.get().isComplete()).isFalse();
    assertThat(connector.session().calls()).hasSize(2);
  }

  @Test
  void pageIsSentAgainUnchangedUntilItIsAnswered() {
    CompletableFuture<DeclareResult> result = client.async().declare(set(jobs(600)).build());
    answerLast();
    last().fail(ErrorCode.UNAVAILABLE, "the store is out of reach");
    timer.advance(Duration.ofSeconds(1));

    assertThat(sent(2)).isEqualTo(sent(1));
    answerLast();
    answerLast();
    assertThat(result).isCompleted();
  }

  @Test
  void failureNamesOwnerAndPage() {
    CompletableFuture<DeclareResult> result = client.async().declare(set(jobs(600)).build());
    answerLast();
    last().fail(ErrorCode.FORBIDDEN, "planned");

    assertThat(result)
        .failsWithin(Duration.ZERO)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(JobCallException.class)
        .withMessageContaining("page 2 of the declaration of owner 'shop'")
        .withMessageContaining("planned");
  }

  @Test
  void closedClientFailsWhatIsOpenAndTakesNothingMore() {
    CompletableFuture<DeclareResult> result = client.async().declare(set(jobs(1)).build());
    client.close();

    assertThat(result).isCompletedExceptionally();
    assertThatThrownBy(() -> client.async().declare(set(jobs(1)).build()))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void jobThatNoRequestCanCarryFailsTheSetBeforeAnythingIsSent() {
    Job huge = job("huge").param("p", "x".repeat(8 << 20)).build();
    RetryPolicy retry = RetryPolicy.DEFAULT;
    Job infinite =
        job("infinite")
            .retry(
                new RetryPolicy(
                    retry.maxRetries(),
                    retry.firstDelay(),
                    retry.maxDelay(),
                    Double.POSITIVE_INFINITY,
                    retry.jitter(),
                    retry.nonRetryable()))
            .build();

    assertThatThrownBy(() -> client.declare(set(List.of(job("a").build(), huge)).build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("orders/huge");
    assertThatThrownBy(() -> client.declare(set(List.of(infinite)).build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("orders/infinite");
    assertThat(connector.sessions().stream().flatMap(it -> it.calls().stream())).isEmpty();
  }

  @Test
  void jobWithFeedbackNeedsAClientGroup() {
    Job told = job("told").feedback(true).build();

    assertThatThrownBy(() -> client.declare(set(List.of(told)).build()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("orders/told");
  }
}
