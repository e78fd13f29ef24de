package io.millrace.jobtracker.pipeline;

import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.rpc.RpcException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the store for questions of one kind, a few at a time and the others in the order of their
 * arrival, so that questions do not use up memory and the connections to the database. Thread-safe.
 */
public final class BoundedReads {
  public static final int MAX_AT_ONCE = 4;
  public static final int MAX_WAITING = 1_000;

  private final Executor executor;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private int reading;

  public BoundedReads(Executor executor) {
    this.executor = executor;
  }

  /** Runs a read; fails with its failure, or with UNAVAILABLE if too many reads wait. */
  public <R> CompletableFuture<R> read(Supplier<R> question) {
    CompletableFuture<R> answer = new CompletableFuture<>();
    Runnable task =
        () -> {
          try {
            answer.complete(question.get());
          } catch (RuntimeException e) {
            answer.completeExceptionally(e);
          }
        };
    synchronized (this) {
      if (waiting.size() >= MAX_WAITING) {
        return CompletableFuture.failedFuture(
            new RpcException(
                ErrorCode.UNAVAILABLE,
                "too many questions in progress (limit " + MAX_WAITING + "); try again"));
      }
      waiting.add(task);
      if (reading == MAX_AT_ONCE) {
        return answer;
      }
      reading++;
    }
    try {
      executor.execute(this::readWaiting);
    } catch (RejectedExecutionException e) {
      giveUp(task);
      answer.completeExceptionally(e);
    }
    return answer;
  }

  private synchronized void giveUp(Runnable task) {
    reading--;
    waiting.remove(task);
  }

  private void readWaiting() {
    for (Runnable task = next(); task != null; task = next()) {
      task.run();
    }
  }

  private synchronized @Nullable Runnable next() {
    Runnable task = waiting.poll();
    if (task == null) {
      reading--;
    }
    return task;
  }
}
