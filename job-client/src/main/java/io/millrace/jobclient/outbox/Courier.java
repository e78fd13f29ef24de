package io.millrace.jobclient.outbox;

import io.millrace.common.model.CancelResult;
import io.millrace.common.model.SubmitResult;
import io.millrace.common.protocol.CancelRequest;
import io.millrace.common.protocol.JobSubmission;
import io.millrace.jobclient.Delivered;
import io.millrace.jobclient.submit.RetryingCalls;
import io.millrace.jobclient.submit.SubmitPipeline;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Carries single requests to a tracker until they are answered. Thread-safe. */
public final class Courier {
  private final SubmitPipeline pipeline;
  private final RetryingCalls calls;

  public Courier(SubmitPipeline pipeline, RetryingCalls calls) {
    this.pipeline = pipeline;
    this.calls = calls;
  }

  /**
   * Carries one request.
   *
   * @param end told the end; not if the future is cancelled, nor once the client is closed
   * @return to be cancelled if the request is to be carried no further
   * @throws IllegalStateException if the client is closed
   */
  Future<?> carry(SavedRequest request, Instant savedAt, Consumer<Delivered> end) {
    JobSubmission submission = request.submission();
    return submission == null
        ? cancel(request, savedAt, end)
        : submit(request, submission, savedAt, end);
  }

  private Future<?> submit(
      SavedRequest request, JobSubmission submission, Instant savedAt, Consumer<Delivered> end) {
    CompletableFuture<SubmitResult> answer = pipeline.deliver(submission);
    tell(answer, (result, fault) -> end.accept(ended(request, savedAt, result, null, fault)));
    return answer;
  }

  private Future<?> cancel(SavedRequest request, Instant savedAt, Consumer<Delivered> end) {
    CompletableFuture<CancelResult> answer =
        calls.deliver(
            "cancel of " + request.key(), new CancelRequest(request.nodeGroup(), request.taskId()));
    tell(answer, (result, fault) -> end.accept(ended(request, savedAt, null, result, fault)));
    return answer;
  }

  private static <R> void tell(CompletableFuture<R> answer, End<R> end) {
    CompletionStage<R> unused =
        answer.whenComplete(
            (result, failure) -> {
              if (!answer.isCancelled()) {
                end.of(result, failure == null ? null : failure.getMessage());
              }
            });
  }

  private interface End<R> {
    void of(@Nullable R result, @Nullable String fault);
  }

  private static Delivered ended(
      SavedRequest request,
      Instant savedAt,
      @Nullable SubmitResult submitted,
      @Nullable CancelResult cancelled,
      @Nullable String fault) {
    return new Delivered(
        request.nodeGroup(),
        request.taskId(),
        request.submission(),
        savedAt,
        submitted,
        cancelled,
        fault);
  }
}
