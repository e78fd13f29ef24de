package io.millrace.tasktracker.internal.keep;

import io.millrace.api.KeepException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** How invocations wait for answers of trackers. Stateless. */
final class Answers {
  private Answers() {}

  /**
   * Waits for an answer. An interrupt ends the wait and stays pending.
   *
   * @param attempt the attempt that waits, for messages
   */
  static <T> T await(CompletableFuture<T> answer, Object attempt) {
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
  static <T> T awaitUninterruptibly(CompletableFuture<T> answer) {
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
