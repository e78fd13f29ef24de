package io.millrace.tasktracker.internal.delivery;

import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends one batch at a time over a connection, until the tracker has answered. A batch without an
 * answer is sent again after a delay, and at once after a reconnect. A batch that the tracker
 * rejects as bad is halved until only the bad item is rejected.
 *
 * <p>Confined to the loop: all methods run on it, and all futures complete on it.
 *
 * @param <T> one item
 * @param <R> the answer to a batch
 */
public final class BatchSender<T, R> {
  private static final Logger LOG = LoggerFactory.getLogger(BatchSender.class);

  private final String name;
  private final Function<List<T>, CompletableFuture<R>> tracker;
  private final Duration retryDelay;
  private final TimedExecutor loop;

  private List<T> batch = List.of();
  private CompletableFuture<Sent<T, R>> sent = new CompletableFuture<>();
  private int limit = Integer.MAX_VALUE;
  private boolean connected;
  private int connection;
  private boolean underWay;
  private boolean failing;
  private Timer.@Nullable Timeout retry;

  /**
   * The first items of a batch, for which the tracker has answered.
   *
   * @param items the items that one request carried; a single one if it was rejected
   * @param answer the answer; null if the item was rejected
   * @param rejection why the tracker never accepts the item; null if there is an answer
   * @param left the other items of the batch, which were not sent
   */
  public record Sent<T, R>(
      List<T> items, @Nullable R answer, @Nullable RpcException rejection, List<T> left) {}

  /**
   * Creates a sender without a connection.
   *
   * @param name the items that are sent, for log lines
   * @param request makes the request that carries a batch
   * @param tracker sends a request; sending it again must be safe
   * @param retryDelay pause before a batch that failed is sent again
   * @param loop runs tasks one at a time, in order
   */
  public <Q> BatchSender(
      String name,
      Function<List<T>, Q> request,
      Function<Q, CompletableFuture<R>> tracker,
      Duration retryDelay,
      TimedExecutor loop) {
    this.name = name;
    this.tracker = request.andThen(tracker);
    this.retryDelay = retryDelay;
    this.loop = loop;
  }

  /** Sends the batch, if there is one, because a tracker is connected. */
  public void connected() {
    disconnected();
    connected = true;
    sendBatch();
  }

  /** Records that the connection is lost. A batch under way counts as unanswered. */
  public void disconnected() {
    connected = false;
    connection++;
    underWay = false;
    Timer.cancel(retry);
    retry = null;
  }

  /** Whether there is a batch without an answer: then no other can be sent. */
  public boolean isBusy() {
    return !batch.isEmpty();
  }

  /** Returns the number of items in the batch without an answer. */
  public int unanswered() {
    return batch.size();
  }

  /**
   * Sends the first items of a batch, as many as a request may carry now.
   *
   * @param items at least one item
   * @return completed when the tracker has answered for the first items, however long that takes;
   *     never failed
   * @throws IllegalStateException if the sender is busy
   */
  public CompletableFuture<Sent<T, R>> send(List<T> items) {
    if (isBusy()) {
      throw new IllegalStateException("a batch has no answer yet");
    }
    batch = List.copyOf(items);
    CompletableFuture<Sent<T, R>> outcome = new CompletableFuture<>();
    sent = outcome;
    sendBatch();
    return outcome;
  }

  /**
   * Takes the batch back, unless it is under way; its future is not completed then.
   *
   * @return the items of the batch; empty if there is none or if it is under way
   */
  public List<T> takeBack() {
    if (underWay) {
      return List.of();
    }
    List<T> items = batch;
    batch = List.of();
    return items;
  }

  /** Sends nothing for the length of the retry delay. Called when nothing is under way. */
  public void pause() {
    retry =
        loop.schedule(
            retryDelay,
            () -> {
              retry = null;
              sendBatch();
            });
  }

  private void sendBatch() {
    if (!batch.isEmpty() && connected && !underWay && retry == null) {
      underWay = true;
      sendFirst(batch.subList(0, Math.min(limit, batch.size())));
    }
  }

  private void sendFirst(List<T> items) {
    int sentOn = connection;
    trySend(items)
        .whenCompleteAsync(
            (answer, failure) -> {
              if (sentOn != connection) {
                return;
              }
              underWay = false;
              if (failure == null) {
                answered(items, answer);
              } else {
                failed(items, failure);
              }
            },
            loop);
  }

  /**
   * Sends a request. If it cannot be sent, for example because it cannot be encoded, the future
   * fails as if it had been sent.
   */
  private CompletableFuture<R> trySend(List<T> items) {
    try {
      return tracker.apply(items);
    } catch (RuntimeException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  private void answered(List<T> items, R answer) {
    if (failing) {
      failing = false;
      LOG.info("{} are delivered to the tracker again", name);
    }
    limit = limit > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : limit * 2;
    complete(items, answer, null);
  }

  private void failed(List<T> items, Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof RpcException rpc && rpc.code() == ErrorCode.BAD_REQUEST) {
      rejected(items, rpc);
      return;
    }
    if (!failing) {
      failing = true;
      LOG.warn("{} cannot be delivered to the tracker; retrying: {}", name, String.valueOf(cause));
    }
    pause();
  }

  private void rejected(List<T> items, RpcException reason) {
    if (items.size() > 1) {
      limit = items.size() / 2;
      sendBatch();
    } else {
      complete(items, null, reason);
    }
  }

  private void complete(List<T> items, @Nullable R answer, @Nullable RpcException rejection) {
    List<T> left = batch.subList(items.size(), batch.size());
    batch = List.of();
    sent.complete(new Sent<>(items, answer, rejection, left));
  }
}
