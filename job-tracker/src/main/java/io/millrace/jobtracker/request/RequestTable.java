package io.millrace.jobtracker.request;

import io.millrace.internal.lifecycle.Completions;
import io.millrace.internal.logging.LogLimiter;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.HealthRequest;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RequestHandler;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.pipeline.TransientFailures;
import io.millrace.jobtracker.store.StoreHealth;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maps each type of request to the method that answers it; the class that wires the tracker
 * registers one method for each type. Before it is opened and after it is closed, the reply is
 * UNAVAILABLE, so that the sender retries or calls another tracker. Thread-safe.
 */
public final class RequestTable implements RequestHandler {
  private static final Logger LOG = LoggerFactory.getLogger(RequestTable.class);

  /**
   * Answers requests of one type.
   *
   * @param <Q> the type of the request
   * @param <R> the type of the reply
   */
  @FunctionalInterface
  public interface Answerer<Q extends Request<R>, R> {
    /** Answers a request of a peer. Must not block. */
    CompletionStage<R> answer(Peer peer, Q request);
  }

  private final StoreHealth storeHealth;
  private final LogLimiter log;
  private final Map<Class<?>, Answerer<?, ?>> answerers = new ConcurrentHashMap<>();
  private volatile Supplier<List<String>> trackers = List::of;
  private volatile boolean open;

  /**
   * Makes a closed table without answerers.
   *
   * @param storeHealth reports whether the store answers
   * @param clock limits the rate of log lines that peers can cause
   */
  public RequestTable(StoreHealth storeHealth, Clock clock) {
    this.storeHealth = storeHealth;
    this.log = new LogLimiter(clock);
  }

  /** Registers the answerer of a type of request. */
  public <R, Q extends Request<R>> void on(Class<Q> type, Answerer<Q, R> answerer) {
    answerers.put(type, answerer);
  }

  /**
   * Accepts requests from now on.
   *
   * @param addresses supplies the addresses of the live trackers
   */
  public void open(Supplier<List<String>> addresses) {
    trackers = addresses;
    open = true;
  }

  /** Rejects all requests from now on. */
  public void close() {
    open = false;
    trackers = List::of;
  }

  @Override
  public List<String> trackers() {
    return trackers.get();
  }

  /**
   * Answers a request of a node. While the store does not answer, requests of clients are rejected
   * at once: they could only wait, and would hold threads and memory meanwhile. Pulls of workers
   * need no store, and health requests are always answered.
   */
  @Override
  public <R> CompletionStage<R> handle(Session session, Request<R> request) {
    if (!open) {
      return CompletableFuture.failedFuture(
          new RpcException(ErrorCode.UNAVAILABLE, "the tracker is starting or stopping"));
    }
    if (session.peer().role() == NodeRole.CLIENT && !(request instanceof HealthRequest)) {
      Optional<StoreHealth.Trouble> trouble = storeHealth.trouble();
      if (trouble.isPresent()) {
        return CompletableFuture.failedFuture(
            new RpcException(ErrorCode.UNAVAILABLE, "try again later: " + trouble.get()));
      }
    }
    return answer(session.peer(), request);
  }

  /**
   * Answers a request of a node or an operator. A failure of the answerer becomes an {@link
   * RpcException}; if the store cannot be reached, its code is UNAVAILABLE.
   */
  public <R> CompletionStage<R> answer(Peer peer, Request<R> request) {
    return ask(peer, request)
        .exceptionallyCompose(failure -> CompletableFuture.failedFuture(failureOf(peer, failure)));
  }

  /**
   * Calls the answerer. It may throw before it returns a stage, for example if an executor rejects
   * tasks.
   */
  @SuppressWarnings("unchecked") // the class of a request decides the class of its reply
  private <R> CompletionStage<R> ask(Peer peer, Request<R> request) {
    Answerer<Request<R>, R> answerer = (Answerer<Request<R>, R>) answerers.get(request.getClass());
    if (answerer == null) {
      return CompletableFuture.failedFuture(
          new RpcException(
              ErrorCode.UNSUPPORTED,
              "a tracker does not support " + request.getClass().getSimpleName()));
    }
    try {
      return answerer.answer(peer, request);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private RpcException failureOf(Peer peer, Throwable failure) {
    Throwable cause = Completions.causeOf(failure);
    if (cause instanceof RpcException known) {
      return known;
    }
    if (TransientFailures.mayBeRepeated(cause)) {
      log.write(
          "try again " + peer.role() + " " + peer.nodeId(),
          ending -> LOG.warn("rpc: {} must try again: {}{}", peer, cause, ending));
      return new RpcException(
          ErrorCode.UNAVAILABLE, "try again later: " + cause.getMessage(), cause);
    }
    log.write(
        "failed " + cause.getClass().getName(),
        ending -> LOG.error("rpc: a request of {} failed unexpectedly{}", peer, ending, cause));
    return new RpcException(ErrorCode.INTERNAL, "the tracker failed; its log says why", cause);
  }
}
