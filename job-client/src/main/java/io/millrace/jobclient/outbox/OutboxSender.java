package io.millrace.jobclient.outbox;

import io.millrace.common.model.CancelResult;
import io.millrace.common.model.SubmitResult;
import io.millrace.common.protocol.JobSubmission;
import io.millrace.jobclient.request.JobKey;
import java.util.concurrent.CompletableFuture;

/**
 * Sends saved requests to a tracker, each until it is answered, however long that takes. A future
 * fails if trackers reject the request itself as bad. It does not complete once the client is
 * closed. When the outbox cancels a future, its request is not sent again. Thread-safe.
 */
public interface OutboxSender {

  /**
   * Sends a submit.
   *
   * @throws IllegalStateException if the client is closed
   */
  CompletableFuture<SubmitResult> submit(JobSubmission submission);

  /**
   * Sends a cancel.
   *
   * @throws IllegalStateException if the client is closed
   */
  CompletableFuture<CancelResult> cancel(JobKey key);
}
