package io.millrace.jobclient;

import io.millrace.common.model.CancelResult;
import io.millrace.common.model.ChangeResult;
import io.millrace.common.model.Explanation;
import io.millrace.common.model.Job;
import io.millrace.common.model.MisfirePolicy;
import io.millrace.common.model.OverlapPolicy;
import io.millrace.common.model.RunNowResult;
import io.millrace.common.model.SubmitResult;
import io.millrace.common.model.SubmitStatus;
import io.millrace.common.model.TerminateResult;
import io.millrace.common.model.TrackerHealth;
import io.millrace.common.rpc.RpcException;
import io.millrace.common.rpc.Session;
import io.millrace.jobclient.calls.JobCalls;
import io.millrace.jobclient.outbox.JobOutbox;
import io.millrace.jobclient.submit.SubmitPipeline;
import io.millrace.jobclient.wiring.ClientAssembly;
import io.millrace.jobclient.wiring.JobClientConfig;
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
 * <p>A submit is acknowledged only when the job is stored. It is sent again, with the same
 * submission id and so without ever storing it twice, until it is answered or the request timeout
 * is over. What trackers refuse for the client's token or version fails at once.
 *
 * <p>Without an outbox, jobs wait in memory only; a client that dies then loses them, and their
 * submits are not acknowledged. With {@link JobClientBuilder#outbox one}:
 *
 * <ul>
 *   <li>Submits and cancels that no tracker answers are saved in it, and say so: {@link
 *       SubmitStatus#SAVED_LOCALLY}, {@link CancelResult#savedLocally}. They go there when no
 *       tracker has been connected for a second, when the request timeout is over, and when the
 *       client is closed. A saved request is on the disk: it survives every end of the process.
 *   <li>It is delivered in the background when a tracker is connected, also by a later process with
 *       the same outbox, oldest first, with its submission id, and so never stored twice. The
 *       listener of {@link #onDelivered} receives the outcome.
 *   <li>While requests for a job are saved, every later submit and cancel of its key is saved
 *       behind them; pause, resume and run now of it fail. Other jobs are not held up.
 *   <li>When the outbox is full, a submit that would have to be saved fails at once. What could not
 *       be delivered for a day is given up, and the listener is notified.
 * </ul>
 *
 * <p>Thread-safe; one instance serves a whole application.
 */
public final class JobClient implements AutoCloseable {
  private final JobClientConfig config;
  private final ClientAssembly assembly;
  private final Executor listeners;
  private final Runnable closeResources;
  private final SubmitPipeline pipeline;
  private final JobCalls calls;
  private final @Nullable JobOutbox outbox;
  private final AtomicBoolean closed = new AtomicBoolean();

  JobClient(
      JobClientConfig config,
      ClientAssembly assembly,
      Executor listeners,
      Runnable closeResources) {
    this.config = config;
    this.assembly = assembly;
    this.listeners = listeners;
    this.closeResources = closeResources;
    this.pipeline = assembly.pipeline();
    this.calls = assembly.calls();
    this.outbox = assembly.outbox();
  }

  /** Describes a new client. */
  public static JobClientBuilder builder() {
    return new JobClientBuilder();
  }

  /**
   * Submits one job and waits for the answer. If the tracker finds it wrong, the result is REJECTED
   * with the reason.
   *
   * @return the tracker's answer; with an outbox also SAVED_LOCALLY, when the job is on the disk
   * @throws JobSubmitException if no answer came within the request timeout and there is no outbox
   *     or no room in it, a tracker refused the request or this client, or the thread was
   *     interrupted
   * @throws IllegalStateException if the client is closed, or the job asks for feedback and the
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
   * Submits many jobs and waits for all answers. Each job is judged alone: a rejected job does not
   * affect the others.
   *
   * @return one result per job, in the order of the jobs
   * @throws JobSubmitException if at least one job got no answer; those that did are in {@link
   *     JobSubmitException#settled}
   * @throws IllegalStateException if the client is closed
   */
  public List<SubmitResult> submitAll(Collection<Job> jobs) {
    return SubmitBatch.submit(pipeline, jobs.stream().map(this::checked).toList());
  }

  /** A group that several applications share by default would give each the results of others. */
  private Job checked(Job job) {
    if (Objects.requireNonNull(job, "job").feedback()) {
      requireClientGroup("job " + job.nodeGroup() + "/" + job.taskId() + " asks for feedback");
    }
    return job;
  }

  private void requireClientGroup(String need) {
    if (config.clientGroup() == null) {
      throw new IllegalStateException(
          need
              + ", which goes to a client group, and this client has none: name your application"
              + " with JobClient.builder().clientGroup(\"…\")");
    }
  }

  /**
   * Submits one job without waiting for the answer. Jobs submitted while a request is under way go
   * together with the next one.
   *
   * <p>Blocks while the bound of jobs in flight is reached, at most for the request timeout; but
   * not when called from code that depends on such a future. Code that depends on the future runs
   * on the listeners' executor, and until it has begun there, the job counts as in flight. To
   * cancel the future does not cancel the job.
   *
   * @return completed with the answer, or with a {@link JobSubmitException}
   * @throws IllegalStateException if the client is closed
   */
  public CompletableFuture<SubmitResult> submitAsync(Job job) {
    return pipeline.submit(checked(job), listeners);
  }

  /**
   * Cancels the living job of this key: its waiting triggers will not run, and executions under way
   * are asked to stop. Without an outbox it does not wait for submits of the key that have no
   * answer yet; with one it comes behind those of this client.
   *
   * <p>A cancel that was saved cancels the job of the key that lives when it is delivered, even one
   * that another client has submitted meanwhile.
   *
   * @return what was found, or that the cancel is saved in the outbox; a cancel whose first answer
   *     was lost may find nothing when it is repeated
   * @throws JobCallException if no answer came within the request timeout and there is no outbox or
   *     no room in it, a tracker refused the request or this client, or the thread was interrupted
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
   * Pauses the recurring job of this key until it is resumed. Its waiting triggers will not run;
   * executions under way may finish, and no attempt follows one that fails. The tracker records who
   * paused it, when and why. Pausing a paused job changes nothing: the first pause stays recorded.
   *
   * @param reason for people who ask later, at most 1,000 characters
   * @return what was done; REFUSED for a one-shot, which can be cancelled only
   * @throws JobCallException if requests for the job are saved in the outbox, no answer came within
   *     the request timeout, the tracker refused the request, or the thread was interrupted;
   *     pausing again is harmless
   * @throws IllegalStateException if the client is closed
   */
  public ChangeResult pause(String nodeGroup, String taskId, String reason) {
    return calls.pause(nodeGroup, taskId, Objects.requireNonNull(reason, "reason"));
  }

  /**
   * Resumes the paused job of this key: it fires again from now on. Fire times that passed while it
   * was paused do not run, unless the job's {@link MisfirePolicy} counts them as missed. Resuming a
   * job that is not paused changes nothing.
   *
   * @return what was done
   * @throws JobCallException if requests for the job are saved in the outbox, no answer came within
   *     the request timeout, the tracker refused the request, or the thread was interrupted;
   *     resuming again is harmless
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
   * Runs the recurring job of this key once more, as soon as a worker is free, independent of its
   * schedule and also while it is paused. The schedule goes on as it was, and the extra run counts
   * neither as one of its fire times nor as missed. The job's {@link OverlapPolicy} holds for it.
   *
   * <p>Each call asks for one run and never for more: a resend after a lost answer is recognised by
   * its submission id. A second call asks for a second run.
   *
   * @param params replace all of the job's own, at most 1 MiB of UTF-8
   * @return what was done
   * @throws JobCallException if requests for the job are saved in the outbox, no answer came within
   *     the request timeout, the tracker refused the request, or the thread was interrupted; {@link
   *     JobCallException#isOutcomeUnknown} tells whether the job may run all the same
   * @throws IllegalStateException if the client is closed
   */
  public RunNowResult runNow(String nodeGroup, String taskId, Map<String, String> params) {
    return calls.runNow(nodeGroup, taskId, Objects.requireNonNull(params, "params"));
  }

  /**
   * Terminates every execution of this job that is under way: its body is interrupted and no
   * attempt follows, but a success still counts. A trigger that does not succeed ends as CANCELLED.
   * The job's waiting triggers stay: unlike {@link #cancel}, this ends a run and not the job.
   *
   * @return how many were under way; zero is no failure, because they may have just ended
   * @throws JobCallException if no answer came within the request timeout, the tracker refused the
   *     request, or the thread was interrupted; terminating again is harmless
   * @throws IllegalStateException if the client is closed
   */
  public TerminateResult terminate(String nodeGroup, String taskId) {
    return calls.terminate(nodeGroup, taskId, null);
  }

  /** Terminates this execution of the job only; see {@link #terminate(String, String)}. */
  public TerminateResult terminate(String nodeGroup, String taskId, long executionId) {
    return calls.terminate(nodeGroup, taskId, executionId);
  }

  /**
   * Asks why the job of this key has or has not run, and what happens next. Changes nothing.
   *
   * @throws JobCallException if no answer came within the request timeout, the tracker refused the
   *     request, or the thread was interrupted
   * @throws IllegalStateException if the client is closed
   */
  public Explanation explain(String nodeGroup, String taskId) {
    return calls.explain(nodeGroup, taskId);
  }

  /**
   * Asks the connected tracker for its health. It answers from memory, so also while its store is
   * out of reach.
   *
   * @throws JobCallException if no answer came within the request timeout
   * @throws IllegalStateException if the client is closed
   */
  public TrackerHealth health() {
    return calls.health();
  }

  /**
   * Sets the listener that receives the results of triggers, in place of the one before. Without a
   * listener the client acknowledges nothing, and trackers keep their results.
   *
   * @throws IllegalStateException if this client has no {@linkplain JobClientBuilder#clientGroup
   *     client group}
   */
  public void onResult(ResultListener listener) {
    Objects.requireNonNull(listener, "listener");
    requireClientGroup("a result listener is for feedback");
    assembly.inbox().listener(listener::onResult);
  }

  /**
   * Sets the listener that receives the outcomes of requests that were saved in the outbox, also by
   * an earlier process, in place of the one before. The first listener also receives outcomes from
   * before it was set. Without an outbox a listener receives nothing.
   */
  public void onDelivered(DeliveryListener listener) {
    Objects.requireNonNull(listener, "listener");
    if (outbox != null) {
      outbox.listener(outcome -> listener.onDelivered(SavedJobOutcome.of(outcome)));
    }
  }

  /** How many requests are in the outbox: without an answer, or its listener not yet notified. */
  public int saved() {
    return outbox == null ? 0 : outbox.size();
  }

  /**
   * Waits until everything in the outbox is delivered.
   *
   * @return false if the time is over before that; at once if no tracker has been connected for a
   *     while, or the trackers refuse this client
   */
  public boolean awaitDelivered(Duration timeout) {
    return outbox == null || outbox.waiters().await(timeout);
  }

  /**
   * Waits until a tracker is connected. No call needs it: each waits by itself.
   *
   * @throws RpcException if none is in time; names the trackers and the last failure. At once if
   *     they refuse this client for its token or its version
   */
  public void awaitConnected(Duration timeout) {
    Session unused = assembly.connection().awaitConnected(timeout);
  }

  /**
   * Takes no further job, waits for submits under way for at most the close timeout, saves the rest
   * in the outbox or fails it, and closes the connection. Idempotent.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    assembly.close();
    closeResources.run();
  }

  @Override
  public String toString() {
    return "JobClient " + config.id() + ", " + assembly.link().describe();
  }
}
