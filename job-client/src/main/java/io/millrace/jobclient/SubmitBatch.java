package io.millrace.jobclient;

import io.millrace.api.Job;
import io.millrace.api.SubmitResult;
import io.millrace.jobclient.internal.submit.Sendable;
import io.millrace.jobclient.internal.submit.SubmitPipeline;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Submits many jobs and waits for all answers. After the first failure it sends no further jobs.
 */
final class SubmitBatch {
  private final SubmitPipeline pipeline;
  private final int size;
  private final AtomicBoolean failed = new AtomicBoolean();
  private final List<CompletableFuture<SubmitResult>> sent = new ArrayList<>();
  private final List<SubmitResult> settled = new ArrayList<>();
  private @Nullable JobSubmitException first;
  private boolean outcomeUnknown;

  private SubmitBatch(SubmitPipeline pipeline, int size) {
    this.pipeline = pipeline;
    this.size = size;
  }

  /** Submits the jobs and returns one result per job, in the order of the jobs. */
  static List<SubmitResult> submit(SubmitPipeline pipeline, Collection<Job> jobs) {
    jobs.forEach(job -> Sendable.requireNonNull(job));
    SubmitBatch batch = new SubmitBatch(pipeline, jobs.size());
    batch.send(jobs);
    return batch.await();
  }

  private void send(Collection<Job> jobs) {
    try {
      for (Job job : jobs) {
        if (failed.get()) {
          return;
        }
        CompletableFuture<SubmitResult> future = pipeline.gather(job, Runnable::run);
        sent.add(
            future.whenComplete((result, failure) -> failed.compareAndSet(false, failure != null)));
      }
    } finally {
      pipeline.sendGathered();
    }
  }

  private List<SubmitResult> await() {
    for (CompletableFuture<SubmitResult> future : sent) {
      try {
        settled.add(future.get());
      } catch (ExecutionException e) {
        note(JobSubmitException.of(e));
      } catch (InterruptedException e) {
        throw JobSubmitException.interrupted("a batch of " + size + " jobs", settled, e);
      }
    }
    if (first != null) {
      throw failure(first);
    }
    return List.copyOf(settled);
  }

  private void note(JobSubmitException failure) {
    first = first == null ? failure : first;
    outcomeUnknown |= failure.isOutcomeUnknown();
  }

  private JobSubmitException failure(JobSubmitException cause) {
    String message =
        "%d of %d jobs were answered, %d got no answer, %d were not sent; first failure: %s"
            .formatted(
                settled.size(),
                size,
                sent.size() - settled.size(),
                size - sent.size(),
                cause.getMessage());
    return new JobSubmitException(message, outcomeUnknown, settled, cause);
  }
}
