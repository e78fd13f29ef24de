package io.millrace.jobclient.outbox;

import io.millrace.common.protocol.JobSubmission;
import io.millrace.jobclient.request.JobKey;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A request to save.
 *
 * @param key of its job
 * @param submission the submit; null means that it is a cancel
 * @param saved complete when the request is on the disk, or failed with the reason why it is not;
 *     completed under no lock
 */
public record OutboxRequest(
    JobKey key, @Nullable JobSubmission submission, CompletableFuture<Void> saved) {

  public static OutboxRequest submit(JobKey key, JobSubmission submission) {
    return new OutboxRequest(key, submission, new CompletableFuture<>());
  }

  public static OutboxRequest cancel(JobKey key) {
    return new OutboxRequest(key, null, new CompletableFuture<>());
  }
}
