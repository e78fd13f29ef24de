package io.millrace.jobclient;

import io.millrace.api.CancelResult;
import io.millrace.api.ChangeResult;
import io.millrace.api.Declaration;
import io.millrace.api.DeclareResult;
import io.millrace.api.Explanation;
import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RunNowResult;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.api.TerminateResult;
import io.millrace.api.TraceContext;
import io.millrace.api.TrackerHealth;
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
import java.util.function.Supplier;
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
 * submits are not acknowledged. With an {@linkplain JobClientBuilder#outbox outbox}:
 *
 * <ul>
 *   <li>The client saves submits and cancels that no tracker answers, and reports that: {@link
 *       SubmitStatus#SAVED_LOCALLY}, {@link CancelResult#savedLocally}. It saves them when no
 *       tracker has been connected for a second, when the request timeout is over, and when the
 *       client is closed. A saved request is on the disk and survives every end of the process.
 *   <li>When a tracker is connected, the client delivers saved requests in the background, oldest
 *       first. A later process with the same outbox does so too. A saved submit keeps its
 *       submission id, so a tracker never stores the job twice. The listener of {@link
 *       #onDelivered} receives the outcome.
 *   <li>While requests for a job are saved, every later submit and cancel of its key is saved
 *       behind them; pause, resume and run now of that job fail. Other jobs are not delayed.
 *   <li>When the outbox is full, a submit that has to be saved fails at once. A request that could
 *       not be delivered for a day is given up, and the listener is notified.
 * </ul>
 *
 * <p>Thread-safe. One instance serves a whole application.
 */
public final class JobClient implements AutoCloseable {
  private final JobClientConfig config;
  private final ClientAssembly assembly;
  private final Supplier<@Nullable TraceContext> currentTrace;
  private final Executor listeners;
  private final Runnable closeResources;
  private final SubmitPipeline pipeline;
  private final JobCalls calls;
  private final @Nullable JobOutbox outbox;
  private final AtomicBoolean closed = new AtomicBoolean();

  JobClient(
      JobClientConfig config,
      ClientAssembly assembly,
      Supplier<@Nullable TraceContext> currentTrace,
      Executor listeners,
      Runnable closeResources) {
    this.config = config;
    this.assembly = assembly;
    this.currentTrace = currentTrace;
    this.listeners = listeners;
    this.closeResources = closeResources;
    this.pipeline = assembly.pipeline();
    this.calls = assembly.calls();
    this.outbox = assembly.outbox();
  }

  /** Returns a builder for a new client. */
  public static JobClientBuilder builder() {
    return new JobClientBuilder();
  }

  /**
   * Submits one job and waits for the answer. If the job is invalid, the result is REJECTED with
   * the reason.
   *
   * @return the tracker's answer; with an outbox also SAVED_LOCALLY, which means that the job is on
   *     the disk
   * @throws JobSubmitException if no answer arrived within the request timeout and there is no
   *     outbox or no room in it, if a tracker refused the request or this client, or if the thread
   *     was interrupted
   * @throws IllegalStateException if the client is closed, or if the job asks for feedback and the
   *     client has no {@linkplain JobClientBuilder#clientGroup client group}
   */
  public SubmitResult submit(Job job) {
    try {
      return pipeline.submit(checked(job), Runnable::run).get();
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
   * @throws JobSubmitException if at least one job got no answer; {@link
   *     JobSubmitException#settled} returns the results of the others
   * @throws IllegalStateException if the client is closed
   */
  public List<SubmitResult> submitAll(Collection<Job> jobs) {
    return SubmitBatch.submit(pipeline, jobs.stream().map(this::checked).toList());
  }

  /**
   * Checks that a job with feedback has a client group. There is no default group, because several
   * applications would share it and receive each other's results. A job that names no trace becomes
   * part of the current one.
   */
  private Job checked(Job job) {
    if (Objects.requireNonNull(job, "job").feedback()) {
      requireClientGroup("job " + job.nodeGroup() + "/" + job.taskId() + " asks for feedback");
    }
    if (job.trace() != null) {
      return job;
    }
    TraceContext current = currentTrace.get();
    return current == null ? job : job.withTrace(current);
  }

  private void requireClientGroup(String need) {
    if (config.clientGroup() == null) {
      throw new IllegalStateException(
          need
              + ", which is sent to a client group, and this client has none: set one with"
              + " JobClient.builder().clientGroup(\"…\")");
    }
  }

  /**
   * Submits one job without waiting for the answer. The client sends jobs that are submitted while
   * a request is under way together in the next request.
   *
   * <p>Blocks while the bound of jobs in flight is reached, at most for the request timeout. It
   * does not block when called from code that depends on a future of this method. Code that depends
   * on the future runs on the listeners' executor; the job counts as in flight until that code
   * begins. Cancelling the future does not cancel the job.
   *
   * @return completed with the answer, or with a {@link JobSubmitException}
   * @throws IllegalStateException if the client is closed
   */
  public CompletableFuture<SubmitResult> submitAsync(Job job) {
    return pipeline.submit(checked(job), listeners);
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
   * @throws JobCallException if no answer arrived within the request timeout and there is no outbox
   *     or no room in it, if a tracker refused the request or this client, or if the thread was
   *     interrupted
   * @throws IllegalStateException if the client is closed
   */
  public CancelResult cancel(String nodeGroup, String taskId) {
    return calls.cancel(nodeGroup, taskId);
  }

  /** Cancels without waiting for the answer. */
  CompletableFuture<CancelResult> cancelAsync(String nodeGroup, String taskId) {
    return calls.cancelAsync(nodeGroup, taskId);
  }

  /** Pauses a job without a reason; see {@link #pause(String, String, String)}. */
  public ChangeResult pause(String nodeGroup, String taskId) {
    return calls.pause(nodeGroup, taskId, null);
  }

  /**
   * Pauses the recurring job of this key until it is resumed. Its waiting triggers do not run.
   * Executions under way may finish; a failed attempt is not retried. The tracker records who
   * paused the job, when and why. Pausing a paused job changes nothing: the first pause stays
   * recorded.
   *
   * @param reason the reason that the tracker records for later readers, at most 1,000 characters
   * @return what was done; REFUSED for a one-shot job, which can only be cancelled
   * @throws JobCallException if requests for the job are saved in the outbox, no answer came within
   *     the request timeout, the tracker refused the request, or the thread was interrupted;
   *     pausing again is safe
   * @throws IllegalStateException if the client is closed
   */
  public ChangeResult pause(String nodeGroup, String taskId, String reason) {
    return calls.pause(nodeGroup, taskId, Objects.requireNonNull(reason, "reason"));
  }

  /**
   * Resumes the paused job of this key, which fires again from now on. Fire times that passed
   * during the pause do not run, unless the job's {@link MisfirePolicy} counts them as missed.
   * Resuming a job that is not paused changes nothing.
   *
   * @return what was done
   * @throws JobCallException if requests for the job are saved in the outbox, no answer came within
   *     the request timeout, the tracker refused the request, or the thread was interrupted;
   *     resuming again is safe
   * @throws IllegalStateException if the client is closed
   */
  public ChangeResult resume(String nodeGroup, String taskId) {
    return calls.resume(nodeGroup, taskId);
  }

  /** Runs a job with its own parameters; see {@link #runNow(String, String, Map)}. */
  public RunNowResult runNow(String nodeGroup, String taskId) {
    return calls.runNow(nodeGroup, taskId, null);
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
   * @throws JobCallException if requests for the job are saved in the outbox, no answer came within
   *     the request timeout, the tracker refused the request, or the thread was interrupted; {@link
   *     JobCallException#isOutcomeUnknown} reports whether the job may still run
   * @throws IllegalStateException if the client is closed
   */
  public RunNowResult runNow(String nodeGroup, String taskId, Map<String, String> params) {
    return calls.runNow(nodeGroup, taskId, Objects.requireNonNull(params, "params"));
  }

  /**
   * Terminates every execution of this job that is under way: its invocation is interrupted and its
   * trigger is not retried. If the invocation still succeeds, the success counts. A trigger that
   * does not succeed ends as CANCELLED. The job's waiting triggers stay: unlike {@link #cancel},
   * this call ends a run and not the job.
   *
   * @return how many executions were under way; zero is not a failure, because they may have just
   *     ended
   * @throws JobCallException if no answer arrived within the request timeout, the tracker refused
   *     the request, or the thread was interrupted; terminating again is safe
   * @throws IllegalStateException if the client is closed
   */
  public TerminateResult terminate(String nodeGroup, String taskId) {
    return calls.terminate(nodeGroup, taskId, null);
  }

  /** Terminates only this execution of the job; see {@link #terminate(String, String)}. */
  public TerminateResult terminate(String nodeGroup, String taskId, long executionId) {
    return calls.terminate(nodeGroup, taskId, executionId);
  }

  /**
   * Explains why the job of this key has or has not run, and what happens next. Changes nothing.
   *
   * @throws JobCallException if no answer arrived within the request timeout, the tracker refused
   *     the request, or the thread was interrupted
   * @throws IllegalStateException if the client is closed
   */
  public Explanation explain(String nodeGroup, String taskId) {
    return calls.explain(nodeGroup, taskId);
  }

  /**
   * Declares the whole set of an owner's recurring jobs. A job that differs from what was declared
   * last is stored as an edit, which keeps a pause; all others are untouched. Declaring the same
   * set again, for example at every start of the application, changes nothing.
   *
   * <p>A large set is sent in pages. If the process dies between two of them, the jobs of the first
   * are stored, and none is retired; the next declaration completes the set.
   *
   * @throws JobCallException if a page got no answer within the request timeout, a tracker refused
   *     it, or the thread was interrupted; declaring again is safe
   * @throws IllegalArgumentException if a job cannot be written into a request, for example because
   *     of the size of its parameters; nothing was sent
   * @throws IllegalStateException if the client is closed, or if a job asks for feedback and the
   *     client has no client group
   */
  public DeclareResult declare(Declaration declaration) {
    declaration.jobs().forEach(this::checked);
    return calls.declare(declaration);
  }

  /**
   * As {@link #declare}, without waiting for the answer. Code that depends on the future runs on
   * the listeners' executor.
   */
  public CompletableFuture<DeclareResult> declareAsync(Declaration declaration) {
    declaration.jobs().forEach(this::checked);
    return calls.declareAsync(declaration).whenCompleteAsync((result, failure) -> {}, listeners);
  }

  /**
   * Asks the connected tracker for its health. The tracker answers from memory, also while it
   * cannot reach its store.
   *
   * @throws JobCallException if no answer arrived within the request timeout
   * @throws IllegalStateException if the client is closed
   */
  public TrackerHealth health() {
    return calls.health();
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
    requireClientGroup("a result listener receives feedback");
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
   * @throws RpcException if no tracker is connected in time; the message names the trackers and the
   *     last failure. Thrown at once if they refuse this client because of its token or version
   */
  public void awaitConnected(Duration timeout) {
    Session unused = assembly.connection().awaitConnected(timeout);
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
