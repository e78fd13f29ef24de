package io.millrace.jobtracker.rpc;

import io.millrace.common.lifecycle.Completions;
import io.millrace.common.logging.LogLimiter;
import io.millrace.common.protocol.CancelRequest;
import io.millrace.common.protocol.CompleteRequest;
import io.millrace.common.protocol.ErrorCode;
import io.millrace.common.protocol.ExplainRequest;
import io.millrace.common.protocol.HandOverRequest;
import io.millrace.common.protocol.HealthRequest;
import io.millrace.common.protocol.HintRequest;
import io.millrace.common.protocol.LogRequest;
import io.millrace.common.protocol.PauseRequest;
import io.millrace.common.protocol.PullRequest;
import io.millrace.common.protocol.Request;
import io.millrace.common.protocol.RequestType;
import io.millrace.common.protocol.ResumeRequest;
import io.millrace.common.protocol.RunNowRequest;
import io.millrace.common.protocol.SubmitRequest;
import io.millrace.common.protocol.TerminateRequest;
import io.millrace.common.rpc.Peer;
import io.millrace.common.rpc.RequestHandler;
import io.millrace.common.rpc.RpcException;
import io.millrace.common.rpc.Session;
import io.millrace.common.time.Clock;
import io.millrace.jobtracker.pipeline.Passing;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tracker's switchboard: one line per request type. What a room throws becomes a typed answer;
 * a store that cannot be reached is UNAVAILABLE, so that the sender tries again. Thread-safe.
 */
public final class RequestRouter implements RequestHandler {
  private static final Logger LOG = LoggerFactory.getLogger(RequestRouter.class);

  /** What a room does with a request of a peer. */
  private interface Room extends BiFunction<Peer, Request<?>, CompletionStage<?>> {}

  private final LogLimiter log;
  private final Map<RequestType, Room> rooms = new EnumMap<>(RequestType.class);

  /** The rooms that answer requests. */
  public interface Rooms {
    CompletionStage<?> submit(Peer client, SubmitRequest request);

    CompletionStage<?> cancel(Peer client, CancelRequest request);

    CompletionStage<?> pause(Peer client, PauseRequest request);

    CompletionStage<?> resume(Peer client, ResumeRequest request);

    CompletionStage<?> runNow(Peer client, RunNowRequest request);

    CompletionStage<?> terminate(Peer client, TerminateRequest request);

    CompletionStage<?> explain(Peer client, ExplainRequest request);

    CompletionStage<?> health(Peer client, HealthRequest request);

    CompletionStage<?> pull(Peer worker, PullRequest request);

    CompletionStage<?> complete(Peer worker, CompleteRequest request);

    CompletionStage<?> log(Peer worker, LogRequest request);

    CompletionStage<?> hint(Peer tracker, HintRequest request);

    CompletionStage<?> handOver(Peer tracker, HandOverRequest request);
  }

  /**
   * @param clock by which the lines that peers can cause are bounded
   */
  public RequestRouter(Rooms to, Clock clock) {
    log = new LogLimiter(clock);
    rooms.put(RequestType.SUBMIT, (peer, r) -> to.submit(peer, (SubmitRequest) r));
    rooms.put(RequestType.CANCEL, (peer, r) -> to.cancel(peer, (CancelRequest) r));
    rooms.put(RequestType.PAUSE, (peer, r) -> to.pause(peer, (PauseRequest) r));
    rooms.put(RequestType.RESUME, (peer, r) -> to.resume(peer, (ResumeRequest) r));
    rooms.put(RequestType.RUN_NOW, (peer, r) -> to.runNow(peer, (RunNowRequest) r));
    rooms.put(RequestType.TERMINATE, (peer, r) -> to.terminate(peer, (TerminateRequest) r));
    rooms.put(RequestType.EXPLAIN, (peer, r) -> to.explain(peer, (ExplainRequest) r));
    rooms.put(RequestType.HEALTH, (peer, r) -> to.health(peer, (HealthRequest) r));
    rooms.put(RequestType.PULL, (peer, r) -> to.pull(peer, (PullRequest) r));
    rooms.put(RequestType.COMPLETE, (peer, r) -> to.complete(peer, (CompleteRequest) r));
    rooms.put(RequestType.LOG, (peer, r) -> to.log(peer, (LogRequest) r));
    rooms.put(RequestType.HINT, (peer, r) -> to.hint(peer, (HintRequest) r));
    rooms.put(RequestType.HAND_OVER, (peer, r) -> to.handOver(peer, (HandOverRequest) r));
  }

  @Override
  public <R> CompletionStage<R> handle(Session session, Request<R> request) {
    return answer(session.peer(), request);
  }

  /** Asks the room that answers this request, whoever it is that asks. */
  @SuppressWarnings("unchecked") // RequestType pairs each request with its reply
  public <R> CompletionStage<R> answer(Peer peer, Request<R> request) {
    Room room = rooms.get(RequestType.of(request));
    if (room == null) {
      return CompletableFuture.failedFuture(
          new RpcException(
              ErrorCode.UNSUPPORTED, "a tracker does not answer " + RequestType.of(request)));
    }
    return (CompletionStage<R>)
        ask(room, peer, request)
            .exceptionallyCompose(
                failure -> CompletableFuture.failedFuture(failureOf(peer, failure)));
  }

  /** A room may throw before there is a stage: an executor that takes no more tasks does. */
  private static CompletionStage<?> ask(Room room, Peer peer, Request<?> request) {
    try {
      return room.apply(peer, request);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private RpcException failureOf(Peer peer, Throwable failure) {
    Throwable cause = Completions.causeOf(failure);
    if (cause instanceof RpcException known) {
      return known;
    }
    if (Passing.mayBeRepeated(cause)) {
      log.write(
          "try again " + peer.role() + " " + peer.nodeId(),
          ending -> LOG.warn("rpc: {} is asked to try again: {}{}", peer, cause, ending));
      return new RpcException(
          ErrorCode.UNAVAILABLE, "not now, try again: " + cause.getMessage(), cause);
    }
    log.write(
        "failed " + cause.getClass().getName(),
        ending ->
            LOG.error(
                "rpc: a request of {} failed in a way that was not foreseen{}",
                peer,
                ending,
                cause));
    return new RpcException(
        ErrorCode.INTERNAL, "the tracker failed in a way that its log describes", cause);
  }
}
