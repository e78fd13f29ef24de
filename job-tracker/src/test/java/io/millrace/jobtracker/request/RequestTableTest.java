package io.millrace.jobtracker.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.TrackerHealth;
import io.millrace.internal.lifecycle.Completions;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.FeedbackRequest;
import io.millrace.internal.protocol.HealthRequest;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.SubmitReply;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.time.SystemClock;
import io.millrace.jobtracker.fixture.RecordingSession;
import io.millrace.jobtracker.pipeline.PipelineFullException;
import io.millrace.jobtracker.store.StoreHealth.Symptom;
import io.millrace.jobtracker.store.StoreHealth.Trouble;
import io.millrace.jobtracker.store.failure.RaceLostException;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RequestTableTest {
  private static final PullRequest PULL = new PullRequest(1, 1, List.of(), List.of());
  private static final PullReply PULLED = PullReply.notOwner("elsewhere");
  private static final SubmitRequest SUBMIT = new SubmitRequest(List.of());
  private static final SubmitReply SUBMITTED = new SubmitReply(List.of());
  private static final TrackerHealth HEALTH =
      new TrackerHealth("tracker-1", 3, "127.0.0.1:35001", List.of("orders"), null);
  private static final Peer WORKER = peer(NodeRole.WORKER);
  private static final Peer CLIENT = peer(NodeRole.CLIENT);
  private static final Trouble TROUBLE =
      new Trouble(Symptom.SILENT, Duration.ofSeconds(7), "refused");

  private Optional<Trouble> trouble = Optional.empty();
  private final RequestTable table = new RequestTable(() -> trouble, new SystemClock());
  private final List<Peer> asked = new ArrayList<>();

  @BeforeEach
  void fill() {
    table.on(PullRequest.class, (peer, request) -> answer(peer, PULLED));
    table.on(SubmitRequest.class, (peer, request) -> answer(peer, SUBMITTED));
    table.on(HealthRequest.class, (peer, request) -> answer(peer, HEALTH));
    table.open(() -> List.of("127.0.0.1:35001"));
  }

  private <R> CompletionStage<R> answer(Peer peer, R reply) {
    asked.add(peer);
    return CompletableFuture.completedFuture(reply);
  }

  private static Peer peer(NodeRole role) {
    return new Peer(role, "node-1", "orders", "local");
  }

  @Test
  void requestIsAnsweredByWhatIsSetForItsTypeAndToldWhoSentIt() {
    assertThat(ask(WORKER, PULL).join()).isSameAs(PULLED);
    assertThat(ask(CLIENT, SUBMIT).join()).isSameAs(SUBMITTED);
    assertThat(asked).containsExactly(WORKER, CLIENT);
    assertThat(table.trackers()).containsExactly("127.0.0.1:35001");
  }

  @Test
  void requestThatATrackerDoesNotAnswerIsUnsupported() {
    RpcException failure = failureOf(ask(WORKER, new FeedbackRequest(List.of())));

    assertThat(failure.code()).isEqualTo(ErrorCode.UNSUPPORTED);
    assertThat(failure).hasMessage("a tracker does not support FeedbackRequest");
  }

  // Before and after.

  @Test
  void nothingIsAnsweredBeforeItIsOpen() {
    RequestTable closed = new RequestTable(() -> trouble, new SystemClock());
    closed.on(PullRequest.class, (peer, request) -> answer(peer, PULLED));

    CompletionStage<PullReply> reply = closed.handle(new RecordingSession(WORKER), PULL);

    assertThat(failureOf(reply.toCompletableFuture()).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(asked).isEmpty();
    assertThat(closed.trackers()).isEmpty();
  }

  @Test
  void nothingIsAnsweredAfterItIsClosed() {
    table.close();

    assertThat(failureOf(ask(WORKER, PULL)))
        .hasMessageContaining("the tracker is starting or stopping")
        .extracting(RpcException::isRetryable)
        .isEqualTo(true);
    assertThat(asked).isEmpty();
    assertThat(table.trackers()).isEmpty();
  }

  // While the store does not answer.

  @Test
  void clientIsRefusedAtOnceAndAskedToTryAgain() {
    trouble = Optional.of(TROUBLE);

    RpcException failure = failureOf(ask(CLIENT, SUBMIT));

    assertThat(failure.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(failure)
        .hasMessageContaining("try again later: the store has not answered for 7.0 s: refused");
    assertThat(asked).isEmpty();
  }

  @Test
  void workersAndQuestionsHowTheTrackerIsPass() {
    trouble = Optional.of(TROUBLE);

    assertThat(ask(WORKER, PULL).join()).isSameAs(PULLED);
    assertThat(ask(CLIENT, new HealthRequest()).join()).isSameAs(HEALTH);
  }

  @Test
  void clientPassesAgainOnceTheStoreAnswers() {
    trouble = Optional.of(TROUBLE);
    assertThat(ask(CLIENT, SUBMIT)).isCompletedExceptionally();
    trouble = Optional.empty();

    assertThat(ask(CLIENT, SUBMIT).join()).isSameAs(SUBMITTED);
  }

  // Failures.

  @ParameterizedTest
  @MethodSource("transientFailures")
  void transientFailureIsUnavailableSoThatTheSenderTriesAgain(RuntimeException failure) {
    table.on(PullRequest.class, (peer, request) -> CompletableFuture.failedFuture(failure));

    RpcException answer = failureOf(ask(WORKER, PULL));

    assertThat(answer.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(answer.isRetryable()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("transientFailures")
  void transientFailureIsUnavailableAlsoIfItIsThrown(RuntimeException failure) {
    table.on(
        PullRequest.class,
        (peer, request) -> {
          throw failure;
        });

    assertThat(failureOf(ask(WORKER, PULL)).code()).isEqualTo(ErrorCode.UNAVAILABLE);
  }

  static Stream<RuntimeException> transientFailures() {
    return Stream.of(
        new StoreUnavailableException("no connection", null),
        new StoreException("a statement failed", null),
        new PipelineFullException("submit orders", "10 writes"),
        new RaceLostException("too many others"),
        new RejectedExecutionException("full"),
        new CompletionException(new StoreUnavailableException("no connection", null)));
  }

  @Test
  void typedFailureIsPassedOn() {
    RpcException own =
        new RpcException(ErrorCode.BAD_REQUEST, "a pull must ask for 0 to 10000 slots");
    table.on(PullRequest.class, (peer, request) -> CompletableFuture.failedFuture(own));
    assertThat(failureOf(ask(WORKER, PULL))).isSameAs(own);

    table.on(
        PullRequest.class,
        (peer, request) -> {
          throw own;
        });
    assertThat(failureOf(ask(WORKER, PULL))).isSameAs(own);
  }

  @Test
  void unexpectedFailureIsAnInternalErrorWhoseCauseIsForTheLogOnly() {
    table.on(
        PullRequest.class,
        (peer, request) -> CompletableFuture.failedFuture(new ArithmeticException("overflow")));

    RpcException failure = failureOf(ask(WORKER, PULL));

    assertThat(failure.code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(failure.getMessage()).isNotBlank().doesNotContain("overflow");
  }

  private <R> CompletableFuture<R> ask(Peer peer, Request<R> request) {
    return table.handle(new RecordingSession(peer), request).toCompletableFuture();
  }

  private static RpcException failureOf(CompletableFuture<?> answer) {
    assertThat(answer).isCompletedExceptionally();
    Throwable failure = answer.handle((unused, thrown) -> thrown).join();
    return (RpcException) Completions.causeOf(failure);
  }
}
