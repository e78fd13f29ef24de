package io.millrace.jobclient;

import io.millrace.common.model.CancelResult;
import io.millrace.common.model.ChangeResult;
import io.millrace.common.model.Explanation;
import io.millrace.common.model.Job;
import io.millrace.common.model.MisfirePolicy;
import io.millrace.common.model.OverlapPolicy;
import io.millrace.common.model.RunNowResult;
import io.millrace.common.model.SubmitResult;
import io.millrace.common.model.TerminateResult;
import io.millrace.common.rpc.RpcException;
import io.millrace.common.rpc.Session;
import io.millrace.common.rpc.TrackerConnection;
import io.millrace.common.rpc.TrackerConnectionConfig;
import io.millrace.common.rpc.TrackerConnectionListener;
import io.millrace.jobclient.results.ResultInbox;
import io.millrace.jobclient.submit.RetryingCalls;
import io.millrace.jobclient.submit.Sendable;
import io.millrace.jobclient.submit.SubmissionIds;
import io.millrace.jobclient.submit.SubmitBounds;
import io.millrace.jobclient.submit.SubmitPipeline;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Hands jobs to a tracker, takes them back, pauses and resumes them, and hears what became of them.
 *
 * <pre>{@code
 * try (JobClient client = JobClient.builder().trackers("127.0.0.1:35001").token(token).build()) {
 *   client.submit(Job.builder("orders", "close:42").param("orderId", "42").build());
 * }
 * }</pre>
 *
 * <p>A submit is acknowledged only when the job is stored. It is sent again, with the same
 * submission id and so without ever storing it twice, until it is answered or the request timeout
 * is over. While no tracker answers, jobs wait in memory only; a client that dies then loses them,
 * and whoever submitted them has no acknowledgement.
 *
 * <p>Thread-safe; one instance serves a whole application.
 */
public final class JobClient implements AutoCloseable {
  private final JobClientConfig config;
  private final ClientParts parts;
  private final Runnable closeParts;
  private final TrackerConnection connection;
  private final ConnectionLink link;
  private final SubmitPipeline pipeline;
  private final RetryingCalls calls;
  private final JobCalls jobCalls;
  private final ResultInbox inbox;
  private final AtomicBoolean closed = new AtomicBoolean();

  private JobClient(JobClientConfig config, ClientParts parts, Runnable closeParts) {
    this.config = config;
    this.parts = parts;
    this.closeParts = closeParts;
    this.inbox = new ResultInbox(parts.listeners());
    this.connection =
        new TrackerConnection(
            parts.connector(),
            inbox,
            TrackerConnectionConfig.of(config.trackers()),
            parts.timer(),
            parts.tasks(),
            parts.random());
    this.link = new ConnectionLink(connection, config.trackers());
    SubmitBounds bounds =
        SubmitBounds.of(config.bounds().requestTimeout(), config.bounds().maxJobsInFlight());
    SubmissionIds ids = new SubmissionIds(parts.clock(), parts.random());
    this.pipeline =
        new SubmitPipeline(
            bounds, link, parts.clock(), parts.timer(), parts.tasks(), parts.random(), ids);
    this.calls =
        new RetryingCalls(
            bounds, link, parts.clock(), parts.timer(), parts.tasks(), parts.random());
    this.jobCalls = new JobCalls(calls, ids);
  }

  /** Makes a client and lets it connect. */
  static JobClient start(JobClientConfig config, ClientParts parts, Runnable closeParts) {
    JobClient client = new JobClient(config, parts, closeParts);
    client.connection.addListener(
        new TrackerConnectionListener() {
          @Override
          public void connected(Session session) {
            client.pipeline.connected();
            client.calls.connected();
          }
        });
    client.connection.start();
    return client;
  }

  /** Begins a client. */
  public static JobClientBuilder builder() {
    return new JobClientBuilder();
  }

  /**
   * Submits one job and waits for the answer. Whatever the tracker finds wrong with it is said in
   * the result, as REJECTED with the reason.
   *
   * @throws JobSubmitException if no answer came within the request timeout, the tracker refused
   *     the request, or the thread was interrupted
   * @throws IllegalStateException if the client is closed
   */
  public SubmitResult submit(Job job) {
    try {
      return pipeline.submit(Sendable.requireNonNull(job), Runnable::run).get();
    } catch (ExecutionException e) {
      throw JobSubmitException.of(e);
    } catch (InterruptedException e) {
      String what = "job " + job.nodeGroup() + "/" + job.taskId();
      throw JobSubmitException.interrupted(what, List.of(), e);
    }
  }

  /**
   * Submits many jobs and waits for all answers. Each job is judged alone: that one is rejected
   * does not touch the others.
   *
   * @return one result per job, in the order of the jobs
   * @throws JobSubmitException if at least one job got no answer; those that did are in {@link
   *     JobSubmitException#settled}
   * @throws IllegalStateException if the client is closed
   */
  public List<SubmitResult> submitAll(Collection<Job> jobs) {
    return SubmitBatch.submit(pipeline, jobs.stream().map(Sendable::requireNonNull).toList());
  }

  /**
   * Submits one job without waiting for the answer. Jobs submitted while a request is under way go
   * together with the next one.
   *
   * <p>Blocks while the bound of jobs in flight is reached, at most for the request timeout; but
   * not when called from what depends on such a future. What depends on the future runs on the
   * listeners' executor, and until it has begun there, the job counts as in flight. To cancel the
   * future takes nothing back.
   *
   * @return completed with the answer, or with a {@link JobSubmitException}
   * @throws IllegalStateException if the client is closed
   */
  public CompletableFuture<SubmitResult> submitAsync(Job job) {
    return pipeline.submit(Sendable.requireNonNull(job), parts.listeners());
  }

  /**
   * Cancels the living job of this key: what waits will not run, and executions under way are told
   * to stop. Does not wait for submits of the key that have no answer yet.
   *
   * @return what was found; a cancel whose first answer was lost may find nothing when it is
   *     repeated
   * @throws JobCallException if no answer came within the request timeout, the tracker refused the
   *     request, or the thread was interrupted
   * @throws IllegalStateException if the client is closed
   */
  public CancelResult cancel(String nodeGroup, String taskId) {
    return jobCalls.cancel(nodeGroup, taskId);
  }

  /** Pauses a job without saying why; see {@link #pause(String, String, String)}. */
  public ChangeResult pause(String nodeGroup, String taskId) {
    return jobCalls.pause(nodeGroup, taskId, null);
  }

  /**
   * Pauses the recurring job of this key until it is resumed. Its triggers that wait will not run;
   * executions under way may finish, and no attempt follows one that fails. The tracker keeps who
   * paused it, when and why. Pausing a paused job changes nothing: the first pause stays recorded.
   *
   * @param reason for whoever asks later, at most 1,000 characters
   * @return what was done; REFUSED for a one-shot, which can be cancelled only
   * @throws JobCallException if no answer came within the request timeout, the tracker refused the
   *     request, or the thread was interrupted; pausing again is harmless
   * @throws IllegalStateException if the client is closed
   */
  public ChangeResult pause(String nodeGroup, String taskId, String reason) {
    return jobCalls.pause(nodeGroup, taskId, Objects.requireNonNull(reason, "reason"));
  }

  /**
   * Resumes the paused job of this key: it fires again from now on. What passed while it was paused
   * does not run, unless the job's {@link MisfirePolicy} counts that as missed. Resuming a job that
   * is not paused changes nothing.
   *
   * @return what was done
   * @throws JobCallException if no answer came within the request timeout, the tracker refused the
   *     request, or the thread was interrupted; resuming again is harmless
   * @throws IllegalStateException if the client is closed
   */
  public ChangeResult resume(String nodeGroup, String taskId) {
    return jobCalls.resume(nodeGroup, taskId);
  }

  /** Runs a job with its own parameters; see {@link #runNow(String, String, Map)}. */
  public RunNowResult runNow(String nodeGroup, String taskId) {
    return jobCalls.runNow(nodeGroup, taskId, null);
  }

  /**
   * Runs the recurring job of this key once more, as soon as a worker is free, whatever its
   * schedule says and also while it is paused. The schedule goes on as it was, and the extra run
   * counts neither as one of its fire times nor as missed. The job's {@link OverlapPolicy} holds
   * for it.
   *
   * <p>Each call asks for one run and never for more: a resend after a lost answer is recognised by
   * its submission id. A second call asks for a second run.
   *
   * @param params in the place of all of the job's own, at most 1 MiB of UTF-8
   * @return what was done
   * @throws JobCallException if no answer came within the request timeout, the tracker refused the
   *     request, or the thread was interrupted; {@link JobCallException#isOutcomeUnknown} tells
   *     whether the job may run all the same
   * @throws IllegalStateException if the client is closed
   */
  public RunNowResult runNow(String nodeGroup, String taskId, Map<String, String> params) {
    return jobCalls.runNow(nodeGroup, taskId, Objects.requireNonNull(params, "params"));
  }

  /**
   * Terminates every execution of this job that is under way: its body is interrupted and no
   * attempt follows, but a success still counts. A trigger that does not succeed ends as CANCELLED.
   * What the job has yet to run stays as it is: unlike {@link #cancel}, this ends a run and not the
   * job.
   *
   * @return how many were under way; none is no failure, for they may have ended a moment ago
   * @throws JobCallException if no answer came within the request timeout, the tracker refused the
   *     request, or the thread was interrupted; terminating again is harmless
   * @throws IllegalStateException if the client is closed
   */
  public TerminateResult terminate(String nodeGroup, String taskId) {
    return jobCalls.terminate(nodeGroup, taskId, null);
  }

  /** Terminates this execution of the job only; see {@link #terminate(String, String)}. */
  public TerminateResult terminate(String nodeGroup, String taskId, long executionId) {
    return jobCalls.terminate(nodeGroup, taskId, executionId);
  }

  /**
   * Asks why the job of this key has or has not run, and what happens next. Changes nothing.
   *
   * @throws JobCallException if no answer came within the request timeout, the tracker refused the
   *     request, or the thread was interrupted
   * @throws IllegalStateException if the client is closed
   */
  public Explanation explain(String nodeGroup, String taskId) {
    return jobCalls.explain(nodeGroup, taskId);
  }

  /**
   * Sets who hears the ends of triggers, in the place of whoever did so far. Without a listener the
   * client acknowledges nothing and trackers keep what they have to tell.
   */
  public void onResult(ResultListener listener) {
    inbox.listener(Objects.requireNonNull(listener, "listener"));
  }

  /**
   * Waits until a tracker is connected. No call needs it: each waits by itself.
   *
   * @throws RpcException if none is in time, naming the trackers and the last failure; at once if
   *     they refuse this client for its token or its version
   */
  public void awaitConnected(Duration timeout) {
    Session unused = connection.awaitConnected(timeout);
  }

  /**
   * Takes no further job, waits for submits under way for at most the close timeout, fails what is
   * left, and closes the connection. Idempotent.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    pipeline.close(config.bounds().closeTimeout());
    calls.close();
    connection.close();
    closeParts.run();
  }

  @Override
  public String toString() {
    return "JobClient " + config.id() + ", " + link.describe();
  }
}
