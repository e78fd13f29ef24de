package io.millrace.jobclient.internal.outbox;

import io.millrace.internal.protocol.JobSubmission;
import io.millrace.jobclient.internal.request.JobKey;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A request to save.
 *
 * @param key the key of the job
 * @param submission the submitted job; null if the request is a cancel
 * @param saved completes when the request is on the disk, or fails with the reason why it is not;
 *     never completed under a lock
 */
public record OutboxRequest(
    JobKey key, @Nullable JobSubmission submission, CompletableFuture<Void> saved) {

  public static OutboxRequest submit(JobKey key, JobSubmission submission) {
    return new OutboxRequest(key, submission, new CompletableFuture<>());
  }

  public static OutboxRequest cancel(JobKey key) {
    return new OutboxRequest(key, null, new CompletableFuture<>());
  }

  /**
   * Completes {@link #saved}. Never called under a lock.
   *
   * @param failure null if the request is on the disk
   */
  void written(@Nullable RuntimeException failure) {
    if (failure == null) {
      saved.complete(null);
    } else {
      saved.completeExceptionally(failure);
    }
  }
}
