package io.millrace.jobclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Disposition;
import io.millrace.api.JobFilter;
import io.millrace.api.JobHandle;
import io.millrace.api.JobPage;
import io.millrace.api.JobStatus;
import io.millrace.api.JobStatus.State;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.api.TrackerHealth;
import io.millrace.api.TriggerResult;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.HealthRequest;
import io.millrace.internal.protocol.ListRequest;
import io.millrace.internal.protocol.OutcomeReply;
import io.millrace.internal.protocol.OutcomeRequest;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.StatusRequest;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.jobclient.fake.FakeConnector;
import io.millrace.jobclient.fake.FakeSession;
import io.millrace.jobclient.internal.resources.ClientResources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class OutcomeCallsTest {
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final JobHandle A = new JobHandle("orders", "a", "1");
  private static final JobHandle B = new JobHandle("orders", "b", "2");

  private final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T00:00:00Z"));
  private final ManualTimer timer = new ManualTimer(clock);
  private final FakeConnector connector = new FakeConnector();
  private final JobClient client =
      JobClient.builder()
          .trackers("127.0.0.1:35001")
          .closeTimeout(Duration.ZERO)
          .resources(
              new ClientResources(
                  clock, timer, Runnable::run, Runnable::run, connector, new Random(1)))
          .build();

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void endIsAwaitedOverAnswersWithoutOne() {
    CompletableFuture<TriggerResult> end = client.async().await(A, LONG);
    for (int i = 0; i < 3; i++) {
      assertThat(requests()).hasSize(i + 1);
      timer.advance(Duration.ofSeconds(5));
      answer();
    }
    assertThat(end).isNotDone();

    answer(ended(A));

    assertThat(end).isCompletedWithValue(endOf(A));
    assertThat(requests())
        .hasSize(4)
        .allMatch(request -> request.equals(new OutcomeRequest(List.of(A), 5_000L)));
  }

  @Test
  void trackerWithoutRoomIsAskedOnceASecond() {
    CompletableFuture<TriggerResult> end = client.async().await(A, LONG);
    answer();
    assertThat(requests()).hasSize(1);
    timer.advance(Duration.ofSeconds(1));
    assertThat(requests()).hasSize(2);

    answer(ended(A));
    assertThat(end).isCompleted();
  }

  @Test
  void jobsAwaitedMeanwhileAreAskedAboutTogether() {
    List<CompletableFuture<TriggerResult>> ends =
        IntStream.range(0, 100)
            .mapToObj(i -> new JobHandle("orders", "job-" + i, "s-" + i))
            .map(handle -> client.async().await(handle, LONG))
            .toList();
    assertThat(requests()).hasSize(16);

    timer.advance(Duration.ofSeconds(5));
    answer(ended(new JobHandle("orders", "job-15", "s-15")));

    assertThat(ends.get(15)).isCompleted();
    assertThat(requests()).hasSize(17);
    assertThat(((OutcomeRequest) requests().get(16)).jobs()).hasSize(64);
  }

  @Test
  void endOfOneJobLeavesTheOthersAwaited() {
    CompletableFuture<TriggerResult> first = client.async().await(A, LONG);
    CompletableFuture<TriggerResult> second = client.async().await(B, LONG);
    List<FakeSession.Call> asked = connector.session().calls();
    assertThat(asked).hasSize(2);
    asked.get(0).answer(new OutcomeReply(List.of(ended(A))));

    assertThat(first).isCompleted();
    assertThat(second).isNotDone();
  }

  @Test
  void jobThatIsNotKnownIsBelievedAtTheSecondAnswer() {
    CompletableFuture<TriggerResult> end = client.async().await(A, LONG);
    answer(status(A, State.NOT_KNOWN, null));
    assertThat(end).isNotDone();
    timer.advance(Duration.ofSeconds(1));
    answer(status(A, State.NOT_KNOWN, null));

    assertThat(failureOf(end))
        .isInstanceOfSatisfying(
            JobAwaitException.class,
            e -> {
              assertThat(e.isTimeout()).isFalse();
              assertThat(e).hasMessageContaining("orders/a").hasMessageContaining("not known");
            });
  }

  @Test
  void recurringJobHasNoEnd() {
    CompletableFuture<TriggerResult> end = client.async().await(A, LONG);
    answer(status(A, State.ACTIVE, null));

    assertThat(failureOf(end))
        .isInstanceOf(JobAwaitException.class)
        .hasMessageContaining("recurring");
  }

  @Test
  void deadlineEndsTheWait() {
    CompletableFuture<TriggerResult> end = client.async().await(A, Duration.ofSeconds(3));
    timer.advance(Duration.ofSeconds(3));

    assertThat(failureOf(end))
        .isInstanceOfSatisfying(JobAwaitException.class, e -> assertThat(e.isTimeout()).isTrue())
        .hasMessageContaining("PT3S");
    answer();
    timer.advance(LONG);
    assertThat(requests()).hasSize(1);
  }

  @Test
  void lossOfTheTrackerDoesNotEndTheWait() {
    CompletableFuture<TriggerResult> end = client.async().await(A, LONG);
    connector.session().last().fail(ErrorCode.UNAVAILABLE, "stopping");
    connector.down();
    timer.advance(Duration.ofMinutes(2));
    connector.up();
    timer.advance(Duration.ofMinutes(1));

    answer(ended(A));

    assertThat(end).isCompletedWithValue(endOf(A));
  }

  @Test
  void trackerOfAFormerVersionFailsTheWait() {
    CompletableFuture<TriggerResult> end = client.async().await(A, LONG);
    connector.session().last().fail(ErrorCode.UNSUPPORTED, "unknown request type 42");

    assertThat(failureOf(end))
        .isInstanceOf(JobCallException.class)
        .hasMessageContaining("unknown request type 42");
  }

  @Test
  void cancelledWaitAsksNothingMore() {
    CompletableFuture<TriggerResult> end = client.async().await(A, LONG);
    assertThat(end.cancel(false)).isTrue();
    timer.advance(Duration.ofSeconds(5));
    answer();
    timer.advance(LONG);

    assertThat(requests()).hasSize(1);
    assertThat(failureOf(end)).isInstanceOf(CancellationException.class);
  }

  @Test
  void closedClientFailsTheWaitAndTakesNoOther() {
    CompletableFuture<TriggerResult> end = client.async().await(A, LONG);
    client.close();

    assertThat(failureOf(end)).isInstanceOf(JobCallException.class).hasMessageContaining("closed");
    assertThatThrownBy(() -> client.async().await(A, LONG))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void resultWithoutAHandleCannotBeAwaited() {
    SubmitResult unknown = new SubmitResult("a", SubmitStatus.DUPLICATE, null, "it lives");

    assertThatThrownBy(() -> client.await(unknown, LONG))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("DUPLICATE");
  }

  @Test
  void otherCallsHaveFuturesToo() {
    CompletableFuture<JobStatus> byHandle = client.async().status(A);
    assertThat(last()).isEqualTo(new StatusRequest("orders", "a", "1"));
    connector.session().last().answer(ended(A));
    assertThat(byHandle).isCompletedWithValue(ended(A));

    CompletableFuture<JobStatus> byKey = client.async().status("orders", "a");
    assertThat(last()).isEqualTo(new StatusRequest("orders", "a", null));
    connector.session().last().fail(ErrorCode.BAD_REQUEST, "not this");
    assertThat(failureOf(byKey))
        .isInstanceOf(JobCallException.class)
        .hasMessageContaining("status of orders/a")
        .hasMessageContaining("not this");

    JobFilter filter = JobFilter.of("orders").handler("close");
    CompletableFuture<JobPage> page = client.async().list(filter);
    assertThat(last()).isEqualTo(new ListRequest(filter));
    assertThat(page.cancel(false)).isTrue();

    CompletableFuture<TrackerHealth> health = client.async().health(Duration.ofSeconds(2));
    assertThat(last()).isEqualTo(new HealthRequest());
    timer.advance(Duration.ofSeconds(1));
    assertThat(health).isNotDone();
    connector.session().last().fail(ErrorCode.UNAVAILABLE, "hangs");
    timer.advance(Duration.ofSeconds(1));
    connector.session().last().fail(ErrorCode.UNAVAILABLE, "hangs");
    assertThat(failureOf(health))
        .isInstanceOf(JobCallException.class)
        .hasMessageContaining("got no answer within PT2S");
  }

  @Test
  void connectionIsToldWithoutAQuestion() {
    assertThat(client.isConnected()).isTrue();
    connector.down();
    assertThat(client.isConnected()).isFalse();
    assertThat(connector.session().calls()).isEmpty();
  }

  private void answer(JobStatus... settled) {
    connector.session().last().answer(new OutcomeReply(List.of(settled)));
  }

  private static JobStatus ended(JobHandle handle) {
    return status(handle, State.ENDED, endOf(handle));
  }

  private static TriggerResult endOf(JobHandle handle) {
    return new TriggerResult(
        "orders",
        handle.taskId(),
        Instant.EPOCH,
        0,
        Disposition.SUCCEEDED,
        1,
        "done",
        Instant.EPOCH);
  }

  private static JobStatus status(JobHandle handle, State state, @Nullable TriggerResult end) {
    return new JobStatus(
        handle.nodeGroup(),
        handle.taskId(),
        handle.submissionId(),
        state,
        Instant.EPOCH,
        List.of(),
        List.of(),
        end);
  }

  private Request<?> last() {
    List<? extends Request<?>> all = requests();
    return all.get(all.size() - 1);
  }

  private List<? extends Request<?>> requests() {
    return connector.session().calls().stream().map(call -> call.request()).toList();
  }

  private static Throwable failureOf(CompletableFuture<?> future) {
    assertThat(future).isCompletedExceptionally();
    return future.handle((unused, failure) -> failure).join();
  }
}
