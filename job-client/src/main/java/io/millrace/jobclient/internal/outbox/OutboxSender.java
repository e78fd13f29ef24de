package io.millrace.jobclient.internal.outbox;

import io.millrace.internal.protocol.JobSubmission;
import io.millrace.jobclient.internal.request.JobKey;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sends saved requests to a tracker, each until it is answered, however long that takes. A future
 * fails if trackers reject the request itself as bad. It does not complete once the client is
 * closed. When the outbox cancels a future, its request is not sent again. Thread-safe.
 */
@FunctionalInterface
public interface OutboxSender {

  /**
   * Sends a request.
   *
   * @param submission the job to submit; null if the request is a cancel
   * @return completed with the {@code SubmitResult} or the {@code CancelResult}
   * @throws IllegalStateException if the client is closed
   */
  CompletableFuture<?> send(JobKey key, @Nullable JobSubmission submission);
}
