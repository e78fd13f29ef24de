package io.millrace.jobclient.calls;

import io.millrace.common.model.CancelResult;
import io.millrace.common.model.SubmitResult;
import io.millrace.common.protocol.CancelRequest;
import io.millrace.common.protocol.JobSubmission;
import io.millrace.jobclient.outbox.OutboxSender;
import io.millrace.jobclient.request.JobKey;
import io.millrace.jobclient.submit.SubmitPipeline;
import java.util.concurrent.CompletableFuture;

/**
 * Sends requests from the outbox: submits in batches with all other jobs, cancels as single calls.
 */
public final class SavedRequestSender implements OutboxSender {
  private final SubmitPipeline pipeline;
  private final RetryingCalls calls;

  public SavedRequestSender(SubmitPipeline pipeline, RetryingCalls calls) {
    this.pipeline = pipeline;
    this.calls = calls;
  }

  @Override
  public CompletableFuture<SubmitResult> submit(JobSubmission submission) {
    return pipeline.sendSaved(submission);
  }

  @Override
  public CompletableFuture<CancelResult> cancel(JobKey key) {
    return calls.deliver("cancel of " + key, new CancelRequest(key.nodeGroup(), key.taskId()));
  }
}
