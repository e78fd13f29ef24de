package io.millrace.jobclient.internal.calls;

import io.millrace.api.CancelResult;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.jobclient.internal.outbox.OutboxRequest;
import io.millrace.jobclient.internal.request.JobKey;
import io.millrace.jobclient.internal.submit.OutboxSaver;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Cancels jobs for a client that has an outbox. Each cancel follows the client's own submits of its
 * key, and is saved in the outbox if no tracker answers it. Thread-safe.
 */
public final class OrderedCancels {
  private final OutboxSaver saver;
  private final RetryingCalls calls;

  public OrderedCancels(OutboxSaver saver, RetryingCalls calls) {
    this.saver = saver;
    this.calls = calls;
  }

  /**
   * Cancels the job of a key.
   *
   * @return completed with the tracker's answer, with a result that reports the cancel as saved in
   *     the outbox, or with a {@link CallFailedException}
   * @throws IllegalStateException if the calls are closed
   */
  CompletableFuture<CancelResult> cancel(JobKey key) {
    calls.checkOpen();
    Cancel cancel = new Cancel(key, calls.deadline());
    cancel.request.saved().whenComplete((done, failure) -> cancel.saved(failure));
    cancel.begin();
    return cancel.future;
  }

  private final class Cancel {
    private final JobKey key;
    private final String what;
    private final long deadlineNanos;
    private final OutboxRequest request;
    private final CompletableFuture<CancelResult> future = new CompletableFuture<>();
    private volatile boolean maybeDone;

    private Cancel(JobKey key, long deadlineNanos) {
      this.key = key;
      this.what = "cancel of " + key;
      this.deadlineNanos = deadlineNanos;
      this.request = OutboxRequest.cancel(key);
    }

    private void begin() {
      CompletableFuture<Void> ended =
          calls.isRefused() ? CompletableFuture.completedFuture(null) : saver.saveOrWait(request);
      if (ended != null && ended.isDone()) {
        ask();
      } else if (ended != null) {
        ended.thenRun(this::begin);
      }
    }

    private void ask() {
      CompletableFuture<CancelResult> answer;
      try {
        answer =
            calls.askBriefly(what, new CancelRequest(key.nodeGroup(), key.taskId()), deadlineNanos);
      } catch (IllegalStateException closedMeanwhile) {
        saver.save(request);
        return;
      }
      future.whenComplete((result, failure) -> answer.cancel(false));
      answer.whenComplete(this::asked);
    }

    private void asked(@Nullable CancelResult result, @Nullable Throwable failure) {
      if (failure == null) {
        future.complete(result);
      } else if (failure instanceof CallFailedException call && call.isUnanswered()) {
        maybeDone = call.isOutcomeUnknown();
        saver.save(request);
      } else {
        future.completeExceptionally(failure);
      }
    }

    private void saved(@Nullable Throwable failure) {
      if (failure == null) {
        future.complete(CancelResult.keptInOutbox());
      } else {
        String message = what + ": no tracker has answered, and the request could not be saved: ";
        future.completeExceptionally(
            new CallFailedException(message + failure.getMessage(), maybeDone, failure));
      }
    }
  }
}
