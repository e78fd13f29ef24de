package io.millrace.jobclient.submit;

import io.millrace.common.model.CancelResult;
import io.millrace.common.protocol.CancelRequest;
import io.millrace.jobclient.JobCallException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Cancels of a client that has an outbox. Each goes behind the client's own submits of its key, and
 * to the outbox if no tracker answers it. Thread-safe.
 */
public final class OrderedCancels {
  private final SubmitPipeline pipeline;
  private final RetryingCalls calls;
  private final Keeper keeper;

  public OrderedCancels(SubmitPipeline pipeline, RetryingCalls calls, Keeper keeper) {
    this.pipeline = pipeline;
    this.calls = calls;
    this.keeper = keeper;
  }

  /**
   * Cancels.
   *
   * @return completed with the tracker's answer, with one that says that the cancel is in the
   *     outbox, or with a {@link JobCallException}
   * @throws IllegalStateException if the calls are closed
   */
  public CompletableFuture<CancelResult> cancel(String nodeGroup, String taskId) {
    calls.checkOpen();
    Cancel cancel = new Cancel(new JobKey(nodeGroup, taskId), calls.deadline());
    cancel.begin();
    return cancel.future;
  }

  private final class Cancel {
    private final JobKey key;
    private final String what;
    private final long deadlineNanos;
    private final CompletableFuture<CancelResult> future = new CompletableFuture<>();
    private final ToKeep request;
    private volatile boolean maybeDone;

    private Cancel(JobKey key, long deadlineNanos) {
      this.key = key;
      this.what = "cancel of " + key;
      this.deadlineNanos = deadlineNanos;
      this.request = new ToKeep(key, null, this::kept);
    }

    private void begin() {
      CompletableFuture<Void> ended =
          calls.isRefused()
              ? CompletableFuture.completedFuture(null)
              : pipeline.keepOrWait(request);
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
        pipeline.keep(keeper, request);
        return;
      }
      future.whenComplete((result, failure) -> answer.cancel(false));
      answer.whenComplete(this::asked);
    }

    private void asked(@Nullable CancelResult result, @Nullable Throwable failure) {
      if (failure == null) {
        future.complete(result);
      } else if (failure instanceof JobCallException call && RetryingCalls.isUnanswered(call)) {
        maybeDone = call.isOutcomeUnknown();
        pipeline.keep(keeper, request);
      } else {
        future.completeExceptionally(failure);
      }
    }

    private void kept(@Nullable RuntimeException failure) {
      if (failure == null) {
        future.complete(CancelResult.keptInOutbox());
      } else {
        String message = what + ": no tracker has answered, and it is not kept: ";
        future.completeExceptionally(
            new JobCallException(message + failure.getMessage(), maybeDone, failure));
      }
    }
  }
}
