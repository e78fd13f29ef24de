package io.millrace.tasktracker.internal.keep;

import io.millrace.api.KeepException;
import io.millrace.internal.lifecycle.Completions;
import io.millrace.internal.logging.LogLimiter;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.RequestType;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.time.TimedExecutor;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the requests of one attempt, each again and again until a tracker answers or refuses it, or
 * the attempt is over. The answer may come from another tracker than the one that was asked first.
 *
 * <p>Confined to the loop, except {@link #ask} and {@link #end}.
 */
final class RepeatedRequests {
  private static final Logger LOG = LoggerFactory.getLogger(RepeatedRequests.class);

  /** Receives the refusal of a request: no tracker of this kind will ever answer it. */
  @FunctionalInterface
  interface Refused {

    /**
     * Receives it on the loop.
     *
     * @param sentBefore whether the request was sent before and not answered, so that a tracker may
     *     have done what it asks for
     */
    void refused(KeepException why, boolean sentBefore);
  }

  /** A thread that waits for an answer. */
  private record Asked<R>(CompletableFuture<R> answer) {}

  private final long executionId;
  private final KeepCalls tracker;
  private final Duration retryDelay;
  private final TimedExecutor loop;
  private final LogLimiter log;
  private final Set<Asked<?>> asked = ConcurrentHashMap.newKeySet();
  private volatile @Nullable RuntimeException over;

  RepeatedRequests(
      long executionId,
      KeepCalls tracker,
      Duration retryDelay,
      TimedExecutor loop,
      LogLimiter log) {
    this.executionId = executionId;
    this.tracker = tracker;
    this.retryDelay = retryDelay;
    this.loop = loop;
    this.log = log;
  }

  /** Sends a request. Neither is called once the attempt is over. */
  <R> void send(Request<R> request, Consumer<R> answered, Refused refused) {
    send(request, answered, refused, false);
  }

  private <R> void send(
      Request<R> request, Consumer<R> answered, Refused refused, boolean sentBefore) {
    var unused =
        trySend(request)
            .whenCompleteAsync(
                (reply, failure) -> {
                  if (over != null) {
                    return;
                  }
                  KeepException refusal = failure == null ? null : refusalOf(request, failure);
                  if (failure == null) {
                    answered.accept(reply);
                  } else if (refusal != null) {
                    refused.refused(refusal, sentBefore);
                  } else {
                    warn(request, failure);
                    loop.schedule(retryDelay, () -> repeat(request, answered, refused));
                  }
                },
                loop);
  }

  private <R> void repeat(Request<R> request, Consumer<R> answered, Refused refused) {
    if (over == null) {
      send(request, answered, refused, true);
    }
  }

  /** Sends a request, from any thread. The future fails if it is refused or the attempt is over. */
  <R> CompletableFuture<R> ask(Request<R> request) {
    CompletableFuture<R> answer = new CompletableFuture<>();
    Asked<R> waiting = new Asked<>(answer);
    asked.add(waiting);
    RuntimeException why = over;
    if (why != null) {
      answer.completeExceptionally(why);
    } else {
      loop.execute(
          () -> {
            if (over == null) {
              send(
                  request,
                  answer::complete,
                  (refusal, sentBefore) -> answer.completeExceptionally(refusal));
            }
          });
    }
    return answer.whenComplete((reply, failure) -> asked.remove(waiting));
  }

  /** Ends it: nothing is sent any more, and who has asked is told why. */
  void end(RuntimeException why) {
    if (over == null) {
      over = why;
      asked.forEach(waiting -> waiting.answer().completeExceptionally(why));
    }
  }

  private void warn(Request<?> request, Throwable failure) {
    Throwable cause = Completions.causeOf(failure);
    log.write(
        cause instanceof RpcException rpc ? rpc.code().name() : cause.getClass().getName(),
        ending ->
            LOG.warn(
                "execution {} waits for a tracker to answer its {}: {}{}",
                executionId,
                RequestType.of(request),
                cause.getMessage(),
                ending));
  }

  private <R> CompletableFuture<R> trySend(Request<R> request) {
    try {
      return tracker.call(request);
    } catch (RuntimeException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  /** What to throw if the same request will never be answered; null if it may be repeated. */
  private @Nullable KeepException refusalOf(Request<?> request, Throwable failure) {
    Throwable cause = Completions.causeOf(failure);
    if (!(cause instanceof RpcException rpc)) {
      return null;
    }
    return switch (rpc.code()) {
      case UNSUPPORTED ->
          new KeepException(
              "execution %d: the tracker is of a version that %s"
                  .formatted(executionId, missing(RequestType.of(request))),
              rpc);
      case BAD_REQUEST, FORBIDDEN ->
          new KeepException(
              "execution %d: the tracker refused a request: %s"
                  .formatted(executionId, rpc.getMessage()),
              rpc);
      default -> null;
    };
  }

  private static String missing(RequestType type) {
    return type == RequestType.STAGE || type == RequestType.PARTS
        ? "knows no parts that handlers make"
        : "keeps no steps and checkpoints";
  }
}
