package io.millrace.jobclient.internal.submit;

import io.millrace.api.SubmitResult;
import java.util.concurrent.CompletableFuture;

/** Receives a notification for each submitted job. Thread-safe. */
@FunctionalInterface
public interface SubmitMeasures {
  /** Measures nothing and has no cost. */
  SubmitMeasures NONE = (answer, calledNanos) -> {};

  /**
   * Records that a job was submitted.
   *
   * @param answer completes with the answer to the submit
   * @param calledNanos when the application called, in nanoseconds of the monotonic clock
   */
  void submitted(CompletableFuture<SubmitResult> answer, long calledNanos);
}
