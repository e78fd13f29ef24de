package io.millrace.jobclient;

import io.millrace.api.CancelResult;
import io.millrace.api.ChangeResult;
import io.millrace.api.Declaration;
import io.millrace.api.DeclareResult;
import io.millrace.api.Explanation;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobHandle;
import io.millrace.api.JobPage;
import io.millrace.api.JobStatus;
import io.millrace.api.RunNowResult;
import io.millrace.api.SubmitResult;
import io.millrace.api.TerminateResult;
import io.millrace.api.TrackerHealth;
import io.millrace.api.TriggerResult;
import io.millrace.internal.lifecycle.Completions;
import io.millrace.jobclient.internal.calls.JobCalls;
import io.millrace.jobclient.internal.submit.SubmitPipeline;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

/**
 * The asynchronous forms of the calls of a {@link JobClient}, which {@link JobClient#async}
 * returns. Each method does what the method of the same name of the client does, and does not wait
 * for the answer: its future completes with the answer, or with the exception that the client's
 * method throws. An {@link IllegalStateException} because the client is closed is thrown at once.
 *
 * <p>Code that depends on a future runs on the client's threads for listeners, and may block.
 * Cancelling a future ends the call, but does not undo what a tracker has done. Thread-safe.
 */
public final class AsyncJobClient {
  private final OutgoingJobs outgoing;
  private final SubmitPipeline pipeline;
  private final JobCalls calls;
  private final Executor listeners;

  AsyncJobClient(
      OutgoingJobs outgoing, SubmitPipeline pipeline, JobCalls calls, Executor listeners) {
    this.outgoing = outgoing;
    this.pipeline = pipeline;
    this.calls = calls;
    this.listeners = listeners;
  }

  /**
   * Submits one job as {@link JobClient#submit} does. The client sends jobs that are submitted
   * while a request is under way together in the next request.
   *
   * <p>Blocks while the bound of jobs in flight is reached, at most for the request timeout. It
   * does not block when called from code that depends on a future of this method. The job counts as
   * in flight until that code begins. Cancelling the future does not cancel the job.
   *
   * @return completed with the answer, with a {@link JobRejectedException}, or with a {@link
   *     JobSubmitException}
   */
  public CompletableFuture<SubmitResult> submit(Job job) {
    return checked(trySubmit(job), result -> JobRejectedException.check(job.nodeGroup(), result));
  }

  /** As {@link #submit}, but completes with REJECTED and the reason if the job is not valid. */
  public CompletableFuture<SubmitResult> trySubmit(Job job) {
    return pipeline.submit(outgoing.prepare(job), listeners);
  }

  /**
   * Submits many jobs as {@link JobClient#submitAll} does. Blocks as {@link #submit} does while the
   * bound of jobs in flight is reached, for each job.
   *
   * @return completed when each job has ended: with one result per job, with a {@link
   *     JobRejectedException}, or with a {@link JobSubmitException}
   */
  public CompletableFuture<List<SubmitResult>> submitAll(Collection<Job> jobs) {
    return checked(trySubmitAll(jobs), JobRejectedException::checkAll);
  }

  /** As {@link #submitAll}, but returns REJECTED with the reason for jobs that are not valid. */
  public CompletableFuture<List<SubmitResult>> trySubmitAll(Collection<Job> jobs) {
    return SubmitBatch.send(pipeline, outgoing.prepareAll(jobs), listeners).future();
  }

  private static <R> CompletableFuture<R> checked(
      CompletableFuture<R> answer, UnaryOperator<R> check) {
    CompletableFuture<R> checked = new CompletableFuture<>();
    answer
        .thenApply(check)
        .whenComplete(
            (result, failure) -> {
              if (failure == null) {
                checked.complete(result);
              } else {
                checked.completeExceptionally(Completions.causeOf(failure));
              }
            });
    return checked;
  }

  /** See {@link JobClient#cancel}. */
  public CompletableFuture<CancelResult> cancel(String nodeGroup, String taskId) {
    return calls.cancel(nodeGroup, taskId).future();
  }

  /** See {@link JobClient#pause(String, String)}. */
  public CompletableFuture<ChangeResult> pause(String nodeGroup, String taskId) {
    return calls.pause(nodeGroup, taskId, null).future();
  }

  /** See {@link JobClient#pause(String, String, String)}. */
  public CompletableFuture<ChangeResult> pause(String nodeGroup, String taskId, String reason) {
    return calls.pause(nodeGroup, taskId, Objects.requireNonNull(reason, "reason")).future();
  }

  /** See {@link JobClient#resume}. */
  public CompletableFuture<ChangeResult> resume(String nodeGroup, String taskId) {
    return calls.resume(nodeGroup, taskId).future();
  }

  /** See {@link JobClient#runNow(String, String)}. */
  public CompletableFuture<RunNowResult> runNow(String nodeGroup, String taskId) {
    return calls.runNow(nodeGroup, taskId, null).future();
  }

  /** See {@link JobClient#runNow(String, String, Map)}. */
  public CompletableFuture<RunNowResult> runNow(
      String nodeGroup, String taskId, Map<String, String> params) {
    return calls.runNow(nodeGroup, taskId, Objects.requireNonNull(params, "params")).future();
  }

  /** See {@link JobClient#terminate(String, String)}. */
  public CompletableFuture<TerminateResult> terminate(String nodeGroup, String taskId) {
    return calls.terminate(nodeGroup, taskId, null).future();
  }

  /** See {@link JobClient#terminate(String, String, long)}. */
  public CompletableFuture<TerminateResult> terminate(
      String nodeGroup, String taskId, long executionId) {
    return calls.terminate(nodeGroup, taskId, executionId).future();
  }

  /** See {@link JobClient#explain}. */
  public CompletableFuture<Explanation> explain(String nodeGroup, String taskId) {
    return calls.explain(nodeGroup, taskId).future();
  }

  /** See {@link JobClient#status(String, String)}. */
  public CompletableFuture<JobStatus> status(String nodeGroup, String taskId) {
    return calls.status(nodeGroup, taskId).future();
  }

  /** See {@link JobClient#status(JobHandle)}. */
  public CompletableFuture<JobStatus> status(JobHandle handle) {
    return calls.status(handle).future();
  }

  /** See {@link JobClient#list}. */
  public CompletableFuture<JobPage> list(JobFilter filter) {
    return calls.list(filter).future();
  }

  /** See {@link JobClient#await(SubmitResult, Duration)}. */
  public CompletableFuture<TriggerResult> await(SubmitResult submitted, Duration timeout) {
    return await(handleOf(submitted), timeout);
  }

  /**
   * Awaits the end of a job as {@link JobClient#await(JobHandle, Duration)} does. Jobs that are
   * awaited at the same time are asked about together: thousands may be awaited, and up to about
   * 1,000 are told of as soon as one. For more, feedback is the better way.
   */
  public CompletableFuture<TriggerResult> await(JobHandle handle, Duration timeout) {
    return calls.await(handle, timeout).future();
  }

  /** See {@link JobClient#declare}. */
  public CompletableFuture<DeclareResult> declare(Declaration declaration) {
    return calls.declare(outgoing.check(declaration)).future();
  }

  /** See {@link JobClient#health()}. */
  public CompletableFuture<TrackerHealth> health() {
    return health(JobClient.HEALTH_TIMEOUT);
  }

  /** See {@link JobClient#health(Duration)}. */
  public CompletableFuture<TrackerHealth> health(Duration timeout) {
    return calls.health(timeout).future();
  }

  static JobHandle handleOf(SubmitResult submitted) {
    JobHandle handle = submitted.handle();
    if (handle == null) {
      throw new IllegalArgumentException(
          "the submit of " + submitted.taskId() + " has no handle: it is " + submitted.status());
    }
    return handle;
  }
}
