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
import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RunNowResult;
import io.millrace.api.SubmitResult;
import io.millrace.api.TerminateResult;
import io.millrace.api.TrackerHealth;
import io.millrace.api.TriggerResult;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.jobclient.internal.calls.JobCalls;
import io.millrace.jobclient.internal.outbox.JobOutbox;
import io.millrace.jobclient.internal.request.RequestContext;
import io.millrace.jobclient.internal.submit.SubmitPipeline;
import io.millrace.jobclient.internal.wiring.ClientAssembly;
import io.millrace.jobclient.internal.wiring.JobClientConfig;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Submits jobs to a tracker, cancels, pauses and resumes them, and receives their results.
 *
 * <pre>{@code
 * try (JobClient client = JobClient.builder().trackers("127.0.0.1:35001").token(token).build()) {
 *   client.submit(Job.builder("orders", "close:42").param("orderId", "42").build());
 * }
 * }</pre>
 *
 * <p>A submit is acknowledged only when the job is stored. The client sends a submit again until a
 * tracker answers or the request timeout is over. Every resend carries the same submission id, so a
 * tracker never stores the job twice. If trackers refuse the client because of its token or
 * version, calls fail at once.
 *
 * <p>Without an outbox, jobs wait in memory only. If the process dies, these jobs are lost; their
 * submits are not acknowledged. With an {@linkplain JobClientBuilder#outbox outbox} the client
 * saves submits and cancels that no tracker answers on the disk, and delivers them later.
 *
 * <p>Every call except a submit throws {@link JobCallException} if no answer arrived within the
 * request timeout, if a tracker refused the request or this client, or if the thread was
 * interrupted. Every call throws {@link IllegalStateException} if the client is closed. {@link
 * #async} has the calls that do not wait for the answer.
 *
 * <p>Thread-safe. One instance serves a whole application.
 */
public final class JobClient implements AutoCloseable {
  static final Duration HEALTH_TIMEOUT = Duration.ofSeconds(5);

  private final JobClientConfig config;
  private final ClientAssembly assembly;
  private final Runnable closeResources;
  private final SubmitPipeline pipeline;
  private final JobCalls calls;
  private final OutgoingJobs outgoing;
  private final AsyncJobClient async;
  private final @Nullable JobOutbox outbox;
  private final AtomicBoolean closed = new AtomicBoolean();

  JobClient(
      JobClientConfig config,
      ClientAssembly assembly,
      OutgoingJobs outgoing,
      Executor listeners,
      Runnable closeResources) {
    this.config = config;
    this.assembly = assembly;
    this.closeResources = closeResources;
    this.pipeline = assembly.pipeline();
    this.calls = assembly.calls();
    this.outgoing = outgoing;
    this.async = new AsyncJobClient(outgoing, pipeline, calls, listeners);
    this.outbox = assembly.outbox();
  }

  /** Returns a builder for a new client. */
  public static JobClientBuilder builder() {
    return new JobClientBuilder();
  }

  /**
   * Submits one job and waits for the answer.
   *
   * @return the tracker's answer: ACCEPTED, REPLACED or DUPLICATE; with an outbox also
   *     SAVED_LOCALLY, which means that the job is on the disk
   * @throws JobRejectedException if the job is not valid: it is not stored
   * @throws JobSubmitException if no answer arrived within the request timeout and there is no
   *     outbox or no room in it, if a tracker refused the request or this client, or if the thread
   *     was interrupted
   * @throws IllegalStateException if the client is closed, or if the job asks for feedback and the
   *     client has no {@linkplain JobClientBuilder#clientGroup client group}
   */
  public SubmitResult submit(Job job) {
    return JobRejectedException.check(job.nodeGroup(), trySubmit(job));
  }

  /** As {@link #submit}, but returns REJECTED with the reason if the job is not valid. */
  public SubmitResult trySubmit(Job job) {
    try {
      return pipeline.submit(outgoing.prepare(job), Runnable::run).get();
    } catch (ExecutionException e) {
      throw JobSubmitException.of(e);
    } catch (InterruptedException e) {
      String what = "job " + job.nodeGroup() + "/" + job.taskId();
      throw JobSubmitException.interrupted(what, List.of(), e);
    }
  }

  /**
   * Submits many jobs and waits for all answers. The tracker checks each job separately: a rejected
   * job does not affect the others. After the first failure the client sends no further jobs of the
   * batch.
   *
   * @return one result per job, in the order of the jobs
   * @throws JobRejectedException if every job got an answer and at least one is not valid; {@link
   *     JobRejectedException#results} returns all results
   * @throws JobSubmitException if at least one job got no answer; {@link
   *     JobSubmitException#settled} returns the results of the others
   */
  public List<SubmitResult> submitAll(Collection<Job> jobs) {
    return JobRejectedException.checkAll(trySubmitAll(jobs));
  }

  /** As {@link #submitAll}, but returns REJECTED with the reason for jobs that are not valid. */
  public List<SubmitResult> trySubmitAll(Collection<Job> jobs) {
    return SubmitBatch.send(pipeline, outgoing.prepareAll(jobs), Runnable::run).await();
  }

  /** Returns the asynchronous forms of the calls. */
  public AsyncJobClient async() {
    return async;
  }

  /** Submits one job without waiting for the answer; see {@link AsyncJobClient#submit}. */
  public CompletableFuture<SubmitResult> submitAsync(Job job) {
    return async.submit(job);
  }

  /**
   * Cancels the living job of this key: its waiting triggers do not run, and executions under way
   * are asked to stop. Without an outbox, a cancel does not wait for submits of the key that have
   * no answer yet. With an outbox, it follows this client's own submits of the key.
   *
   * <p>A saved cancel cancels the job of the key that lives when the cancel is delivered, even if
   * another client submitted that job in the meantime.
   *
   * @return what the tracker found, or that the cancel is saved in the outbox; if the first answer
   *     was lost, the repeated cancel may find nothing
   */
  public CancelResult cancel(String nodeGroup, String taskId) {
    return calls.cancel(nodeGroup, taskId).await();
  }

  /** Pauses a job without a reason; see {@link #pause(String, String, String)}. */
  public ChangeResult pause(String nodeGroup, String taskId) {
    return calls.pause(nodeGroup, taskId, null).await();
  }

  /**
   * Pauses the recurring job of this key until it is resumed. Its waiting triggers do not run.
   * Executions under way may finish; a failed attempt is not retried. The tracker records who
   * paused the job, when and why. Pausing a paused job changes nothing: the first pause stays
   * recorded.
   *
   * @param reason the reason that the tracker records for later readers, at most 1,000 characters
   * @return what was done; REFUSED for a one-shot job, which can only be cancelled
   * @throws JobCallException also if requests for the job are saved in the outbox; pausing again is
   *     safe
   */
  public ChangeResult pause(String nodeGroup, String taskId, String reason) {
    return calls.pause(nodeGroup, taskId, Objects.requireNonNull(reason, "reason")).await();
  }

  /**
   * Resumes the paused job of this key, which fires again from now on. Fire times that passed
   * during the pause do not run, unless the job's {@link MisfirePolicy} counts them as missed.
   * Resuming a job that is not paused changes nothing.
   *
   * @return what was done
   * @throws JobCallException also if requests for the job are saved in the outbox; resuming again
   *     is safe
   */
  public ChangeResult resume(String nodeGroup, String taskId) {
    return calls.resume(nodeGroup, taskId).await();
  }

  /** Runs a job with its own parameters; see {@link #runNow(String, String, Map)}. */
  public RunNowResult runNow(String nodeGroup, String taskId) {
    return calls.runNow(nodeGroup, taskId, null).await();
  }

  /**
   * Runs the recurring job of this key once more as soon as a worker is free, independently of its
   * schedule and also while it is paused. The schedule does not change. The extra run counts
   * neither as a fire time of the schedule nor as missed. The job's {@link OverlapPolicy} applies
   * to it.
   *
   * <p>Each call requests exactly one run: the tracker recognises a resend after a lost answer by
   * its submission id. A second call requests a second run.
   *
   * @param params parameters that replace all of the job's own, at most 1 MiB of UTF-8
   * @return what was done
   * @throws JobCallException also if requests for the job are saved in the outbox; {@link
   *     JobCallException#isOutcomeUnknown} reports whether the job may still run
   */
  public RunNowResult runNow(String nodeGroup, String taskId, Map<String, String> params) {
    return calls.runNow(nodeGroup, taskId, Objects.requireNonNull(params, "params")).await();
  }

  /**
   * Terminates every execution of this job that is under way: its invocation is interrupted and its
   * trigger is not retried. If the invocation still succeeds, the success counts. A trigger that
   * does not succeed ends as CANCELLED. The job's waiting triggers stay: unlike {@link #cancel},
   * this call ends a run and not the job.
   *
   * @return how many executions were under way; zero is not a failure, because they may have just
   *     ended
   * @throws JobCallException terminating again is safe
   */
  public TerminateResult terminate(String nodeGroup, String taskId) {
    return calls.terminate(nodeGroup, taskId, null).await();
  }

  /** Terminates only this execution of the job; see {@link #terminate(String, String)}. */
  public TerminateResult terminate(String nodeGroup, String taskId, long executionId) {
    return calls.terminate(nodeGroup, taskId, executionId).await();
  }

  /**
   * Explains why the job of this key has or has not run, and what happens next. Changes nothing.
   */
  public Explanation explain(String nodeGroup, String taskId) {
    return calls.explain(nodeGroup, taskId).await();
  }

  /**
   * Returns the status of the job that lives under this key: a recurring job in any state, or a
   * one-shot that waits or runs. The status of a one-shot that has ended is found by its handle
   * only, because the task id is free again.
   */
  public JobStatus status(String nodeGroup, String taskId) {
    return calls.status(nodeGroup, taskId).await();
  }

  /**
   * Returns the status of one submit or run now, also after its end, for as long as the tracker
   * keeps the record of it (by default 30 days). Any tracker answers, whichever of them stored or
   * ended the job. If the handle is of a recurring job, the status is that of the job.
   *
   * @return the status; NOT_KNOWN if the tracker has no record of the job, or none any more, and
   *     while the job is in the outbox
   */
  public JobStatus status(JobHandle handle) {
    return calls.status(handle).await();
  }

  /**
   * Lists live jobs of a node group, one page. Pass {@link JobPage#next} to {@link JobFilter#after}
   * for the next page.
   *
   * @throws JobCallException also if the filter has a bad value
   */
  public JobPage list(JobFilter filter) {
    return calls.list(filter).await();
  }

  /**
   * Waits for the end of a submitted one-shot; see {@link #await(JobHandle, Duration)}.
   *
   * @throws IllegalArgumentException if the submit has no handle, because it was rejected or a
   *     tracker of an earlier version answered it
   */
  public TriggerResult await(SubmitResult submitted, Duration timeout) {
    return await(AsyncJobClient.handleOf(submitted), timeout);
  }

  /**
   * Waits for the end of a one-shot or of a run now, over all its attempts. Any tracker tells it,
   * within a few milliseconds if the job ended at the tracker that is asked, and otherwise within
   * about a second. If the job has ended already, returns at once. While no tracker answers, the
   * call goes on waiting.
   *
   * @return how the job ended, which may be FAILED, DEAD or CANCELLED
   * @throws JobAwaitException if the job has not ended in time, if the tracker has no record of it
   *     or none any more, or if it is a recurring job
   * @throws JobCallException if trackers refuse this client or do not support the request, if the
   *     thread was interrupted, or if the client was closed meanwhile
   */
  public TriggerResult await(JobHandle handle, Duration timeout) {
    return calls.await(handle, timeout).await();
  }

  /**
   * Declares the whole set of an owner's recurring jobs. A job that differs from what was declared
   * last is stored as an edit, which keeps a pause; all others are untouched. Declaring the same
   * set again, for example at every start of the application, changes nothing.
   *
   * <p>A large set is sent in pages. If the process dies between two of them, the jobs of the first
   * are stored, and none is retired; the next declaration completes the set.
   *
   * @throws JobCallException declaring again is safe
   * @throws IllegalArgumentException if a job cannot be written into a request, for example because
   *     of the size of its parameters; nothing was sent
   */
  public DeclareResult declare(Declaration declaration) {
    return calls.declare(outgoing.check(declaration)).await();
  }

  /** As {@link #health(Duration)}, with 5 s. */
  public TrackerHealth health() {
    return health(HEALTH_TIMEOUT);
  }

  /**
   * Asks the connected tracker for its health. The tracker answers from memory, also while it
   * cannot reach its store.
   */
  public TrackerHealth health(Duration timeout) {
    return calls.health(timeout).await();
  }

  /** Returns whether a tracker is connected now, without asking it. */
  public boolean isConnected() {
    return assembly.connection().session() != null;
  }

  /**
   * Sets the listener that receives the results of triggers, and replaces the previous one. Without
   * a listener the client acknowledges no result, and trackers keep the results.
   *
   * @throws IllegalStateException if this client has no {@linkplain JobClientBuilder#clientGroup
   *     client group}
   */
  public void onResult(ResultListener listener) {
    Objects.requireNonNull(listener, "listener");
    config.requireClientGroup("a result listener receives feedback");
    assembly.inbox().listener(listener::onResult);
  }

  /**
   * Sets the listener that receives the outcomes of requests that were saved in the outbox by this
   * process or an earlier one, and replaces the previous listener. The first listener also receives
   * the outcomes from before it was set. Without an outbox a listener receives nothing.
   */
  public void onDelivered(DeliveryListener listener) {
    Objects.requireNonNull(listener, "listener");
    if (outbox != null) {
      outbox.listener(outcome -> listener.onDelivered(SavedJobOutcome.of(outcome)));
    }
  }

  /**
   * Returns the number of requests in the outbox. A request stays there until it is answered and
   * the listener was notified.
   */
  public int saved() {
    return outbox == null ? 0 : outbox.size();
  }

  /**
   * Waits until everything in the outbox is delivered.
   *
   * @return false if the timeout is over before everything is delivered; false at once if no
   *     tracker has been connected for a while, or if trackers refuse this client
   */
  public boolean awaitDelivered(Duration timeout) {
    return outbox == null || outbox.waiters().await(timeout);
  }

  /**
   * Waits until a tracker is connected. You need not call this method before other calls: each of
   * them waits for a tracker itself.
   *
   * @throws JobCallException if no tracker is connected in time; the message names the trackers and
   *     the last failure. Thrown at once if they refuse this client because of its token or version
   */
  public void awaitConnected(Duration timeout) {
    try {
      Session unused = assembly.connection().awaitConnected(timeout);
    } catch (RpcException e) {
      throw new JobCallException(String.valueOf(e.getMessage()), false, e);
    }
  }

  /**
   * Closes the client. It accepts no further jobs, waits for submits under way for at most the
   * close timeout, saves the remaining ones in the outbox or fails them, and closes the connection.
   * Idempotent.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    assembly.close();
    closeResources.run();
  }

  /** Returns what a relay needs to send requests over the connection of this client. */
  RequestContext context() {
    return assembly.context();
  }

  /** Returns the client group, or {@code none}. */
  String groupName() {
    return Objects.requireNonNullElse(config.clientGroup(), "none");
  }

  @Override
  public String toString() {
    return "JobClient " + config.id() + ", " + assembly.connection().describe();
  }
}
