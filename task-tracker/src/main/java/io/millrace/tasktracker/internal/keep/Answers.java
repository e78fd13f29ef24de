package io.millrace.tasktracker.internal.keep;

import io.millrace.api.KeepException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** How invocations wait for answers of trackers. Thread-safe. */
public final class Answers {
  private final Consumer<Future<?>> beforeWait;

  /**
   * @param beforeWait receives each answer before the thread of the invocation is blocked
   */
  public Answers(Consumer<Future<?>> beforeWait) {
    this.beforeWait = beforeWait;
  }

  /**
   * Waits for an answer. An interrupt ends the wait and stays pending.
   *
   * @param attempt the attempt that waits, for messages
   */
  <T> T await(CompletableFuture<T> answer, Object attempt) {
    beforeWait.accept(answer);
    try {
      return answer.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KeepException(attempt + " was interrupted while it waited for the tracker", e);
    } catch (ExecutionException e) {
      throw thrown(e);
    }
  }

  /** Waits for an answer, also after an interrupt, which stays pending. */
  <T> T awaitUninterruptibly(CompletableFuture<T> answer) {
    beforeWait.accept(answer);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return answer.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw thrown(e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static KeepException thrown(ExecutionException failure) {
    Throwable cause = failure.getCause();
    return new KeepException(String.valueOf(cause == null ? failure : cause.getMessage()), cause);
  }
}
