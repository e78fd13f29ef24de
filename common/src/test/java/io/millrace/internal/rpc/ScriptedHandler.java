package io.millrace.internal.rpc;

import io.millrace.api.CancelResult;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.CompleteReply;
import io.millrace.internal.protocol.CompleteRequest;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.FeedbackReply;
import io.millrace.internal.protocol.FeedbackRequest;
import io.millrace.internal.protocol.LogReply;
import io.millrace.internal.protocol.LogRequest;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.SubmitReply;
import io.millrace.internal.protocol.SubmitRequest;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Answers every request at once, and remembers it; a CANCEL waits for {@link #release}. */
public final class ScriptedHandler implements RequestHandler {

  /** A CANCEL of this task id fails with an exception that is no RpcException. */
  public static final String BREAKS = "breaks";

  /** A CANCEL of this task id is answered only by {@link #release}. */
  public static final String WAITS = "waits";

  /** The node group of a CANCEL is answered as a submit would be refused: UNAVAILABLE. */
  public static final String UNAVAILABLE = "unavailable";

  public final Queue<Request<?>> seen = new ConcurrentLinkedQueue<>();
  private final Queue<CompletableFuture<CancelResult>> waiting = new ConcurrentLinkedQueue<>();

  /** What a ping is told. */
  public volatile List<String> trackers = List.of();

  @Override
  public List<String> trackers() {
    return trackers;
  }

  @Override
  public <R> CompletionStage<R> handle(Session session, Request<R> request) {
    seen.add(request);
    CompletableFuture<?> answer = answer(request);
    @SuppressWarnings("unchecked")
    CompletionStage<R> typed = (CompletionStage<R>) answer;
    return typed;
  }

  /** Answers every CANCEL that waits. */
  public void release() {
    for (var next = waiting.poll(); next != null; next = waiting.poll()) {
      next.complete(new CancelResult(true, 0, 0));
    }
  }

  public int waiting() {
    return waiting.size();
  }

  private CompletableFuture<?> answer(Request<?> request) {
    if (request instanceof CancelRequest cancel) {
      return cancel(cancel);
    }
    Object reply =
        request instanceof SubmitRequest
            ? new SubmitReply(List.of())
            : request instanceof PullRequest
                ? PullReply.of(List.of(), List.of())
                : request instanceof CompleteRequest
                    ? new CompleteReply(List.of())
                    : request instanceof LogRequest log
                        ? new LogReply(log.lines().size())
                        : new FeedbackReply(((FeedbackRequest) request).results().size());
    return CompletableFuture.completedFuture(reply);
  }

  private CompletableFuture<?> cancel(CancelRequest request) {
    switch (request.taskId()) {
      case BREAKS -> throw new IllegalStateException("a secret of the tracker");
      case UNAVAILABLE -> {
        return CompletableFuture.failedFuture(
            new RpcException(ErrorCode.UNAVAILABLE, "the store is out of reach"));
      }
      case WAITS -> {
        CompletableFuture<CancelResult> later = new CompletableFuture<>();
        waiting.add(later);
        return later;
      }
      default -> {
        return CompletableFuture.completedFuture(
            new CancelResult(true, request.taskId().length(), 0));
      }
    }
  }
}
