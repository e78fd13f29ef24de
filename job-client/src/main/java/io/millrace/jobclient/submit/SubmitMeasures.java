package io.millrace.jobclient.submit;

import io.millrace.common.model.SubmitResult;
import java.util.concurrent.CompletableFuture;

/** Is notified of each job that is submitted. Thread-safe. */
@FunctionalInterface
public interface SubmitMeasures {
  /** EngineListener nothing, and costs nothing. */
  SubmitMeasures NONE = (answer, calledNanos) -> {};

  /**
   * A job was submitted.
   *
   * @param answer completes with what became of it
   * @param calledNanos when the application called, on the monotonic line
   */
  void submitted(CompletableFuture<SubmitResult> answer, long calledNanos);
}
