package io.millrace.tasktracker.delivery;

import io.millrace.common.protocol.ErrorCode;
import io.millrace.common.rpc.RpcException;
import io.millrace.common.time.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Natural batching over a connection: a single item is sent at once, and items that gather while a
 * batch is under way form the next batch. A batch without an answer is sent again after a delay,
 * and at once after a reconnect. A batch that the tracker rejects as bad is halved until only the
 * bad item is refused.
 *
 * <p>Confined to the loop: all methods and callbacks run on it.
 *
 * @param <T> one item
 * @param <R> the answer to a batch
 */
public final class BatchSender<T, R> {
  private static final Logger LOG = LoggerFactory.getLogger(BatchSender.class);

  private final String name;
  private final Outgoing<T, R> outgoing;
  private final Duration retryDelay;
  private final Executor loop;
  private final Timer timer;

  private List<T> unanswered = List.of();
  private int limit = Integer.MAX_VALUE;
  private boolean connected;
  private int connection;
  private boolean underWay;
  private boolean failing;
  private Timer.@Nullable Timeout retry;
  private CompletableFuture<Void> idle = CompletableFuture.completedFuture(null);

  /**
   * Creates a sender without a connection.
   *
   * @param name the items that are sent, for log lines
   * @param retryDelay pause before a batch that failed is sent again
   * @param loop runs tasks one at a time, in order
   */
  public BatchSender(
      String name, Outgoing<T, R> outgoing, Duration retryDelay, Executor loop, Timer timer) {
    this.name = name;
    this.outgoing = outgoing;
    this.retryDelay = retryDelay;
    this.loop = loop;
    this.timer = timer;
  }

  /** Sends the waiting items, because a tracker is connected. */
  public void connected() {
    disconnected();
    connected = true;
    send();
  }

  /** Records that the connection is lost. A batch under way counts as unanswered. */
  public void disconnected() {
    connected = false;
    connection++;
    underWay = false;
    if (retry != null) {
      retry.cancel();
      retry = null;
    }
  }

  /** Sends the waiting items, unless a batch is under way. Called after items were added. */
  public void send() {
    if (unanswered.isEmpty()) {
      unanswered = outgoing.nextBatch();
    }
    if (unanswered.isEmpty()) {
      idle.complete(null);
      return;
    }
    if (idle.isDone()) {
      idle = new CompletableFuture<>();
    }
    if (connected && !underWay && retry == null) {
      sendBatch(unanswered.subList(0, Math.min(limit, unanswered.size())));
    }
  }

  /** Removes items that need not be sent any more. While a batch is under way, it removes none. */
  public void discard(Predicate<T> isOver) {
    if (!underWay) {
      unanswered = unanswered.stream().filter(isOver.negate()).toList();
    }
  }

  /** Returns a future that completes when no item waits and no batch is under way. */
  public CompletableFuture<Void> whenIdle() {
    return idle;
  }

  /** Returns the number of items that are being sent or wait to be sent again. */
  public int unanswered() {
    return unanswered.size();
  }

  private void sendBatch(List<T> batch) {
    underWay = true;
    int sentOn = connection;
    trySend(batch)
        .whenCompleteAsync(
            (answer, failure) -> {
              if (sentOn != connection) {
                return;
              }
              underWay = false;
              if (failure == null) {
                answered(batch, answer);
              } else {
                failed(batch, failure);
              }
            },
            loop);
  }

  /**
   * Sends a batch. If it cannot be sent, for example because it cannot be encoded, the future fails
   * as if it had been sent.
   */
  private CompletableFuture<R> trySend(List<T> batch) {
    try {
      return outgoing.send(batch);
    } catch (RuntimeException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  private void answered(List<T> batch, R answer) {
    if (failing) {
      failing = false;
      LOG.info("{} are delivered to the tracker again", name);
    }
    int done = Math.min(outgoing.answered(batch, answer), batch.size());
    remove(done);
    limit = limit > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : limit * 2;
    if (done == 0) {
      retryLater();
    } else {
      send();
    }
  }

  private void failed(List<T> batch, Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof RpcException rpc && rpc.code() == ErrorCode.BAD_REQUEST) {
      refused(batch, rpc);
      return;
    }
    if (!failing) {
      failing = true;
      LOG.warn("{} cannot be delivered to the tracker; retrying: {}", name, String.valueOf(cause));
    }
    retryLater();
  }

  private void refused(List<T> batch, RpcException reason) {
    if (batch.size() > 1) {
      limit = batch.size() / 2;
    } else {
      T guilty = batch.get(0);
      remove(1);
      outgoing.refused(guilty, reason);
    }
    send();
  }

  private void remove(int count) {
    unanswered = List.copyOf(unanswered.subList(count, unanswered.size()));
  }

  private void retryLater() {
    retry =
        timer.schedule(
            retryDelay,
            loop,
            () -> {
              retry = null;
              send();
            });
  }
}
