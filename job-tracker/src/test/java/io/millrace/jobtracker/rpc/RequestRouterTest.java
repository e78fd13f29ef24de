package io.millrace.jobtracker.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.common.model.CancelResult;
import io.millrace.common.model.ChangeResult;
import io.millrace.common.model.ChangeStatus;
import io.millrace.common.model.Explanation;
import io.millrace.common.model.NodeRole;
import io.millrace.common.model.RunNowResult;
import io.millrace.common.model.TerminateResult;
import io.millrace.common.model.TrackerHealth;
import io.millrace.common.protocol.CancelRequest;
import io.millrace.common.protocol.CompleteReply;
import io.millrace.common.protocol.CompleteRequest;
import io.millrace.common.protocol.ErrorCode;
import io.millrace.common.protocol.ExplainRequest;
import io.millrace.common.protocol.FeedbackRequest;
import io.millrace.common.protocol.HandOverReply;
import io.millrace.common.protocol.HandOverRequest;
import io.millrace.common.protocol.HealthRequest;
import io.millrace.common.protocol.HintReply;
import io.millrace.common.protocol.HintRequest;
import io.millrace.common.protocol.LogReply;
import io.millrace.common.protocol.LogRequest;
import io.millrace.common.protocol.PauseRequest;
import io.millrace.common.protocol.PullReply;
import io.millrace.common.protocol.PullRequest;
import io.millrace.common.protocol.Request;
import io.millrace.common.protocol.ResumeRequest;
import io.millrace.common.protocol.RunNowRequest;
import io.millrace.common.protocol.SubmitReply;
import io.millrace.common.protocol.SubmitRequest;
import io.millrace.common.protocol.TerminateRequest;
import io.millrace.common.rpc.Peer;
import io.millrace.common.rpc.RpcException;
import io.millrace.common.time.SystemClock;
import io.millrace.jobtracker.fixture.RecordingSession;
import io.millrace.jobtracker.pipeline.PipelineFullException;
import io.millrace.jobtracker.store.RaceLostException;
import io.millrace.jobtracker.store.StoreException;
import io.millrace.jobtracker.store.StoreUnavailableException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RequestRouterTest {
  private static final PullRequest PULL = new PullRequest(1, 1, List.of(), List.of());
  private static final Peer WORKER = new Peer(NodeRole.WORKER, "worker-1", "orders", "local");

  @Test
  void everyRequestGoesToItsRoomWithWhoSentIt() {
    assertThat(answerOf(new SubmitRequest(List.of()))).isEqualTo(Rooms.SUBMITTED);
    assertThat(answerOf(new CancelRequest("orders", "close"))).isEqualTo(Rooms.CANCELLED);
    assertThat(answerOf(new PauseRequest("orders", "poll", null))).isEqualTo(Rooms.PAUSED);
    assertThat(answerOf(new ResumeRequest("orders", "poll"))).isEqualTo(Rooms.RESUMED);
    assertThat(answerOf(new RunNowRequest("s-1", "orders", "poll", null))).isEqualTo(Rooms.RUN);
    assertThat(answerOf(new ExplainRequest("orders", "close"))).isEqualTo(Rooms.EXPLAINED);
    assertThat(answerOf(new HealthRequest())).isEqualTo(Rooms.HEALTHY);
    assertThat(answerOf(PULL)).isEqualTo(Rooms.PULLED);
    assertThat(answerOf(new CompleteRequest(List.of()))).isEqualTo(Rooms.COMPLETED);
    assertThat(answerOf(new TerminateRequest("orders", "close", null))).isEqualTo(Rooms.TERMINATED);
    assertThat(answerOf(new LogRequest(List.of()))).isEqualTo(Rooms.LOGGED);
    assertThat(
            answerOf(new HintRequest(List.of(), List.of(), List.of(), List.of(), List.of(), null)))
        .isEqualTo(Rooms.HEARD);
    assertThat(answerOf(new HandOverRequest("orders"))).isEqualTo(Rooms.TAKEN);
  }

  @Test
  void whatATrackerDoesNotAnswerIsUnsupported() {
    RpcException failure =
        failureOf(new FeedbackRequest(List.of()), () -> CompletableFuture.completedFuture(null));

    assertThat(failure.code()).isEqualTo(ErrorCode.UNSUPPORTED);
    assertThat(failure).hasMessage("a tracker does not answer FEEDBACK");
  }

  @ParameterizedTest
  @MethodSource("passing")
  void whatPassesIsUnavailableSoThatTheSenderTriesAgain(RuntimeException passing) {
    RpcException failure = failureOf(PULL, () -> CompletableFuture.failedFuture(passing));

    assertThat(failure.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(failure.isRetryable()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("passing")
  void whatPassesIsUnavailableAlsoIfTheRoomThrowsItOutright(RuntimeException passing) {
    RpcException failure =
        failureOf(
            PULL,
            () -> {
              throw passing;
            });

    assertThat(failure.code()).isEqualTo(ErrorCode.UNAVAILABLE);
  }

  static Stream<RuntimeException> passing() {
    return Stream.of(
        new StoreUnavailableException("no connection", null),
        new StoreException("a statement failed", null),
        new PipelineFullException("submit orders", "10 writes"),
        new RaceLostException("too many others"),
        new RejectedExecutionException("full"),
        new CompletionException(new StoreUnavailableException("no connection", null)));
  }

  @Test
  void whatARoomSaysItselfIsPassedOn() {
    RpcException own = new RpcException(ErrorCode.BAD_REQUEST, "a pull asks for 0 to 10000 slots");

    assertThat(failureOf(PULL, () -> CompletableFuture.failedFuture(own))).isSameAs(own);
    assertThat(
            failureOf(
                PULL,
                () -> {
                  throw own;
                }))
        .isSameAs(own);
  }

  @Test
  void whatNobodyForesawIsAnInternalErrorWhoseCauseIsForTheLogOnly() {
    RpcException failure =
        failureOf(PULL, () -> CompletableFuture.failedFuture(new ArithmeticException("overflow")));

    assertThat(failure.code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(failure.getMessage()).isNotBlank().doesNotContain("overflow");
  }

  private static Object answerOf(Request<?> request) {
    return new RequestRouter(new Rooms(null), new SystemClock())
        .handle(new RecordingSession(WORKER), request)
        .toCompletableFuture()
        .join();
  }

  private static RpcException failureOf(
      Request<?> request, Supplier<CompletionStage<PullReply>> room) {
    CompletableFuture<?> answer =
        new RequestRouter(new Rooms(room), new SystemClock())
            .handle(new RecordingSession(WORKER), request)
            .toCompletableFuture();
    assertThat(answer).isCompletedExceptionally();
    Throwable failure = answer.handle((unused, thrown) -> thrown).join();
    return (RpcException) (failure instanceof CompletionException ? failure.getCause() : failure);
  }

  private record Rooms(Supplier<CompletionStage<PullReply>> pull) implements RequestRouter.Rooms {
    static final SubmitReply SUBMITTED = new SubmitReply(List.of());
    static final CancelResult CANCELLED = new CancelResult(true, 3, 4);
    static final ChangeResult PAUSED = new ChangeResult(ChangeStatus.CHANGED, 5, "paused");
    static final ChangeResult RESUMED = new ChangeResult(ChangeStatus.CHANGED, 0, "resumed");
    static final RunNowResult RUN = new RunNowResult(ChangeStatus.REFUSED, null, 0, "no");
    static final TrackerHealth HEALTHY =
        new TrackerHealth("tracker-1", 3, "127.0.0.1:35001", List.of("orders"), null);
    static final TerminateResult TERMINATED = new TerminateResult(6);
    static final Explanation EXPLAINED =
        new Explanation("orders", "close", Instant.EPOCH, List.of(), List.of());
    static final PullReply PULLED = PullReply.notOwner("elsewhere");
    static final CompleteReply COMPLETED = new CompleteReply(List.of());
    static final LogReply LOGGED = new LogReply(7);
    static final HintReply HEARD = new HintReply();
    static final HandOverReply TAKEN = new HandOverReply(true);

    @Override
    public CompletionStage<?> submit(Peer client, SubmitRequest request) {
      return answer(client, SUBMITTED);
    }

    @Override
    public CompletionStage<?> cancel(Peer client, CancelRequest request) {
      return answer(client, CANCELLED);
    }

    @Override
    public CompletionStage<?> pause(Peer client, PauseRequest request) {
      return answer(client, PAUSED);
    }

    @Override
    public CompletionStage<?> resume(Peer client, ResumeRequest request) {
      return answer(client, RESUMED);
    }

    @Override
    public CompletionStage<?> runNow(Peer client, RunNowRequest request) {
      return answer(client, RUN);
    }

    @Override
    public CompletionStage<?> terminate(Peer client, TerminateRequest request) {
      return answer(client, TERMINATED);
    }

    @Override
    public CompletionStage<?> health(Peer client, HealthRequest request) {
      return answer(client, HEALTHY);
    }

    @Override
    public CompletionStage<?> explain(Peer client, ExplainRequest request) {
      return answer(client, EXPLAINED);
    }

    @Override
    public CompletionStage<?> pull(Peer worker, PullRequest request) {
      return pull == null ? answer(worker, PULLED) : pull.get();
    }

    @Override
    public CompletionStage<?> complete(Peer worker, CompleteRequest request) {
      return answer(worker, COMPLETED);
    }

    @Override
    public CompletionStage<?> log(Peer worker, LogRequest request) {
      return answer(worker, LOGGED);
    }

    @Override
    public CompletionStage<?> hint(Peer tracker, HintRequest request) {
      return answer(tracker, HEARD);
    }

    @Override
    public CompletionStage<?> handOver(Peer tracker, HandOverRequest request) {
      return answer(tracker, TAKEN);
    }

    private static CompletionStage<?> answer(Peer peer, Object reply) {
      assertThat(peer).isEqualTo(WORKER);
      return CompletableFuture.completedFuture(reply);
    }
  }
}
