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
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Submits many jobs and collects the answers. After the first failure it sends no further jobs. */
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

  /**
   * Submits the jobs. Blocks while the bound of jobs in flight is reached.
   *
   * @param notifyOn completes the futures of the jobs; see {@link SubmitPipeline#submit}
   */
  static SubmitBatch send(SubmitPipeline pipeline, Collection<Job> jobs, Executor notifyOn) {
    jobs.forEach(job -> Sendable.requireNonNull(job));
    SubmitBatch batch = new SubmitBatch(pipeline, jobs.size());
    batch.send(jobs, notifyOn);
    return batch;
  }

  private void send(Collection<Job> jobs, Executor notifyOn) {
    try {
      for (Job job : jobs) {
        if (failed.get()) {
          return;
        }
        CompletableFuture<SubmitResult> future = pipeline.gather(job, notifyOn);
        sent.add(
            future.whenComplete((result, failure) -> failed.compareAndSet(false, failure != null)));
      }
    } finally {
      pipeline.sendGathered();
    }
  }

  /** Returns the results, in the order of the jobs, as a future. */
  CompletableFuture<List<SubmitResult>> future() {
    CompletableFuture<List<SubmitResult>> future = new CompletableFuture<>();
    CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
        .whenComplete(
            (all, failure) -> {
              try {
                future.complete(await());
              } catch (JobSubmitException unanswered) {
                future.completeExceptionally(unanswered);
              }
            });
    return future;
  }

  /** Waits for all answers and returns one result per job, in the order of the jobs. */
  List<SubmitResult> await() {
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
