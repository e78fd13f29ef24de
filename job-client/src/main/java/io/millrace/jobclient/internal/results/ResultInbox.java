package io.millrace.jobclient.internal.results;

import io.millrace.api.TriggerResult;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.FeedbackReply;
import io.millrace.internal.protocol.FeedbackRequest;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.rpc.RequestHandler;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives feedback from the network and hands it to the listener on an executor, one request after
 * another. A few requests may wait; further ones are refused, and the tracker sends them again.
 * Thread-safe.
 */
public final class ResultInbox implements RequestHandler {
  static final int MAX_WAITING = 4;

  private static final Logger LOG = LoggerFactory.getLogger(ResultInbox.class);

  private final Executor executor;
  private final Deque<Delivery> waiting = new ArrayDeque<>();
  private volatile @Nullable Listener listener;
  private boolean delivering;

  /**
   * Creates an inbox without a listener.
   *
   * @param executor runs the listener
   */
  public ResultInbox(Executor executor) {
    this.executor = executor;
  }

  /** Receives each result. */
  @FunctionalInterface
  public interface Listener {

    /** Receives one result. When this method throws, the tracker sends the result again later. */
    void onResult(TriggerResult result) throws Exception;
  }

  /** Sets the listener and replaces the previous one. */
  public void listener(Listener newListener) {
    this.listener = newListener;
  }

  @Override
  @SuppressWarnings("unchecked") // a FeedbackRequest is a Request<FeedbackReply>
  public <R> CompletionStage<R> handle(Session session, Request<R> request) {
    if (request instanceof FeedbackRequest feedback) {
      return (CompletionStage<R>) take(feedback);
    }
    String message = "a client does not support " + request.getClass().getSimpleName();
    return CompletableFuture.failedFuture(new RpcException(ErrorCode.UNSUPPORTED, message));
  }

  /**
   * Accepts a request; never blocks. The reply states how many results the listener has accepted.
   */
  CompletableFuture<FeedbackReply> take(FeedbackRequest request) {
    if (listener == null) {
      return CompletableFuture.completedFuture(new FeedbackReply(0));
    }
    Delivery delivery = new Delivery(request);
    synchronized (waiting) {
      if (waiting.size() >= MAX_WAITING) {
        String message = "the listener has not yet processed " + MAX_WAITING + " earlier requests";
        return CompletableFuture.failedFuture(new RpcException(ErrorCode.UNAVAILABLE, message));
      }
      waiting.addLast(delivery);
      if (delivering) {
        return delivery.reply;
      }
      delivering = true;
    }
    executor.execute(this::deliverNext);
    return delivery.reply;
  }

  private void deliverNext() {
    Delivery delivery;
    synchronized (waiting) {
      delivery = waiting.removeFirst();
    }
    delivery.reply.complete(new FeedbackReply(deliver(delivery.request)));
    synchronized (waiting) {
      if (waiting.isEmpty()) {
        delivering = false;
        return;
      }
    }
    executor.execute(this::deliverNext);
  }

  private int deliver(FeedbackRequest request) {
    Listener current = listener;
    int taken = 0;
    if (current == null) {
      return taken;
    }
    for (TriggerResult result : request.results()) {
      if (!accepts(current, result)) {
        break;
      }
      taken++;
    }
    return taken;
  }

  /**
   * Returns whether the listener accepted the result. Every failure of the listener is caught,
   * because the tracker must receive an answer.
   */
  private static boolean accepts(Listener listener, TriggerResult result) {
    try {
      listener.onResult(result);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.warn(
          "listener interrupted while it processed {}; the tracker will send it again",
          nameOf(result));
    } catch (Throwable e) {
      LOG.error("listener failed to process {}; the tracker will send it again", nameOf(result), e);
    }
    return false;
  }

  private static String nameOf(TriggerResult result) {
    return "the result of %s/%s planned for %s, ordinal %d"
        .formatted(result.nodeGroup(), result.taskId(), result.plannedFor(), result.ordinal());
  }

  private record Delivery(FeedbackRequest request, CompletableFuture<FeedbackReply> reply) {
    private Delivery(FeedbackRequest request) {
      this(request, new CompletableFuture<>());
    }
  }
}
