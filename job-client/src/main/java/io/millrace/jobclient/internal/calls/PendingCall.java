package io.millrace.jobclient.internal.calls;

import io.millrace.internal.lifecycle.Completions;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A call under way, to be waited for by the calling thread or to be handed to the application as a
 * future. Both end with exceptions of the public API.
 *
 * @param <R> the type of the answer
 */
public final class PendingCall<R> {
  private final String what;
  private final CompletableFuture<R> answer;
  private final Function<Throwable, RuntimeException> failures;
  private final Executor listeners;

  /**
   * @param what the call and its job, for messages
   * @param answer fails with an exception of this package
   * @param failures converts a failure to an exception of the public API
   * @param listeners runs code of the application
   */
  PendingCall(
      String what,
      CompletableFuture<R> answer,
      Function<Throwable, RuntimeException> failures,
      Executor listeners) {
    this.what = what;
    this.answer = answer;
    this.failures = failures;
    this.listeners = listeners;
  }

  /** The same call with another answer. */
  <S> PendingCall<S> map(Function<R, S> conversion) {
    CompletableFuture<S> converted = answer.thenApply(conversion);
    cancelsWith(converted);
    return new PendingCall<>(what, converted, failures, listeners);
  }

  /** Waits for the answer. An interrupt ends the call. */
  public R await() {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw failures.apply(described(e.getCause()));
    } catch (InterruptedException e) {
      boolean unused = answer.cancel(false);
      Thread.currentThread().interrupt();
      String message = what + ": the thread was interrupted while it waited for the answer";
      throw failures.apply(new CallFailedException(message, true, e));
    }
  }

  /**
   * Returns the answer as a future. Code that depends on it runs on the executor of the listeners;
   * cancelling it ends the call.
   */
  public CompletableFuture<R> future() {
    CompletableFuture<R> future = new CompletableFuture<>();
    cancelsWith(future);
    answer.whenComplete(
        (result, failure) -> {
          try {
            listeners.execute(() -> settle(future, result, failure));
          } catch (RejectedExecutionException closed) {
            settle(future, result, failure);
          }
        });
    return future;
  }

  private void settle(
      CompletableFuture<R> future, @Nullable R result, @Nullable Throwable failure) {
    if (failure == null) {
      future.complete(result);
    } else {
      future.completeExceptionally(failures.apply(described(failure)));
    }
  }

  private void cancelsWith(CompletableFuture<?> future) {
    future.whenComplete(
        (result, failure) -> {
          if (failure instanceof CancellationException) {
            answer.cancel(false);
          }
        });
  }

  private RuntimeException described(@Nullable Throwable failure) {
    Throwable cause = failure == null ? null : Completions.causeOf(failure);
    return cause instanceof CallFailedException || cause instanceof NotEndedException
        ? (RuntimeException) cause
        : new CallFailedException(what + " failed: " + cause, true, cause);
  }
}
