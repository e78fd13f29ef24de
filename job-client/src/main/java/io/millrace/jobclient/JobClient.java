package io.millrace.jobclient;

import io.micrometer.core.instrument.MeterRegistry;
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
import io.millrace.common.rpc.TrackerConnection;
import io.millrace.common.rpc.TrackerConnectionConfig;
import io.millrace.common.rpc.TrackerConnectionListener;
import io.millrace.jobclient.metrics.ClientMeters;
import io.millrace.jobclient.metrics.ClientReadings;
import io.millrace.jobclient.outbox.Courier;
import io.millrace.jobclient.outbox.JobOutbox;
import io.millrace.jobclient.results.ResultInbox;
import io.millrace.jobclient.submit.RetryingCalls;
import io.millrace.jobclient.submit.Sendable;
import io.millrace.jobclient.submit.SubmissionIds;
import io.millrace.jobclient.submit.SubmitBounds;
import io.millrace.jobclient.submit.SubmitMeasures;
import io.millrace.jobclient.submit.SubmitPipeline;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

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
 * is over. What trackers refuse for the client's token or version fails at once.
 *
 * <p>Without an outbox, jobs wait in memory only; a client that dies then loses them, and whoever
 * submitted them has no acknowledgement. With {@link JobClientBuilder#outbox one}:
 *
 * <ul>
 *   <li>Submits and cancels that no tracker answers are saved in it, and say so: {@link
 *       SubmitStatus#SAVED_LOCALLY}, {@link CancelResult#savedLocally}. They go there when no
 *       tracker has been connected for a second, when the request timeout is over, and when the
 *       client is closed. What is saved is on the disk: it survives the end of the process in
 *       whatever way.
 *   <li>It is delivered in the background when a tracker is connected, also by a later process with
 *       the same outbox, oldest first, with its submission id, and so never stored twice. {@link
 *       #onDelivered} hears what became of it.
 *   <li>While requests for a job are saved, every later submit and cancel of its key is saved
 *       behind them; pause, resume and run now of it fail. Other jobs are not held up.
 *   <li>When the outbox is full, a submit that would have to be saved fails at once. What could not
 *       be delivered for a day is given up, and told.
 * </ul>
 *
 * <p>Thread-safe; one instance serves a whole application.
 */
public final class JobClient implements AutoCloseable {
  private final JobClientConfig config;
  private final ClientParts parts;
  private final Runnable closeParts;
  private final TrackerConnection connection;
  private final ConnectionLink link;
  private final @Nullable JobOutbox outbox;
  private final TrackerAbsence absence;
  private final @Nullable ClientMeters meters;
  private final SubmitPipeline pipeline;
  private final RetryingCalls calls;
  private final JobCalls jobCalls;
  private final ResultInbox inbox;
  private final AtomicBoolean closed = new AtomicBoolean();

  private JobClient(
      JobClientConfig config,
      ClientParts parts,
      @Nullable MeterRegistry registry,
      Runnable closeParts) {
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
    this.outbox = config.outbox() == null ? null : JobOutbox.open(config.outbox(), parts, link);
    this.absence =
        new TrackerAbsence(
            config.bounds().outboxPatience(),
            parts.timer(),
            parts.tasks(),
            connection::session,
            this::trackersAreGone);
    SubmitBounds bounds =
        SubmitBounds.of(config.bounds().requestTimeout(), config.bounds().maxJobsInFlight());
    this.meters =
        registry == null
            ? null
            : new ClientMeters(
                registry,
                Objects.requireNonNullElse(config.clientGroup(), "none"),
                parts.clock(),
                new Readings());
    SubmissionIds ids = new SubmissionIds(parts.clock(), parts.random());
    this.pipeline =
        new SubmitPipeline(
            bounds,
            link,
            parts.clock(),
            parts.timer(),
            parts.tasks(),
            parts.random(),
            ids,
            outbox,
            meters == null ? SubmitMeasures.NONE : meters);
    this.calls =
        new RetryingCalls(
            bounds, link, parts.clock(), parts.timer(), parts.tasks(), parts.random());
    this.jobCalls = new JobCalls(pipeline, calls, ids, outbox);
  }

  /** Makes a client and lets it connect. */
  static JobClient start(
      JobClientConfig config,
      ClientParts parts,
      @Nullable MeterRegistry registry,
      Runnable closeParts) {
    JobClient client = new JobClient(config, parts, registry, closeParts);
    client.start();
    return client;
  }

  private void start() {
    connection.addListener(new Connected());
    if (outbox != null) {
      outbox.start(new Courier(pipeline, calls));
      absence.begin();
    }
    connection.start();
  }

  /** What follows when trackers come and go. */
  private final class Connected implements TrackerConnectionListener {
    @Override
    public void connected(Session session) {
      absence.end();
      pipeline.connected();
      calls.connected();
      if (outbox != null) {
        outbox.flush();
      }
    }

    @Override
    public void refused(RpcException refusal) {
      pipeline.failIfRefused();
      calls.failIfRefused();
      if (outbox != null) {
        outbox.nobodyDelivers();
      }
    }

    @Override
    public void disconnected() {
      if (outbox != null) {
        absence.begin();
      }
    }
  }

  /** What gauges show. */
  private final class Readings implements ClientReadings {
    @Override
    public int jobsInFlight() {
      return pipeline.inFlight();
    }

    @Override
    public boolean isConnected() {
      return link.session() != null;
    }

    @Override
    public int outboxRequests() {
      return saved();
    }

    @Override
    public long outboxBytes() {
      return outbox == null ? 0 : outbox.bytes();
    }
  }

  private void trackersAreGone() {
    pipeline.trackersAreGone();
    calls.trackersAreGone();
    if (outbox != null) {
      outbox.nobodyDelivers();
    }
  }

  /** Begins a client. */
  public static JobClientBuilder builder() {
    return new JobClientBuilder();
  }

  /**
   * Submits one job and waits for the answer. Whatever the tracker finds wrong with it is said in
   * the result, as REJECTED with the reason.
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
   * Submits many jobs and waits for all answers. Each job is judged alone: that one is rejected
   * does not touch the others.
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
    Sendable.requireNonNull(job);
    if (job.feedback()) {
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
   * not when called from what depends on such a future. What depends on the future runs on the
   * listeners' executor, and until it has begun there, the job counts as in flight. To cancel the
   * future takes nothing back.
   *
   * @return completed with the answer, or with a {@link JobSubmitException}
   * @throws IllegalStateException if the client is closed
   */
  public CompletableFuture<SubmitResult> submitAsync(Job job) {
    return pipeline.submit(checked(job), parts.listeners());
  }

  /**
   * Cancels the living job of this key: what waits will not run, and executions under way are told
   * to stop. Without an outbox it does not wait for submits of the key that have no answer yet;
   * with one it comes behind those of this client.
   *
   * <p>A cancel that was saved cancels whatever job of the key lives when it is delivered: one that
   * another client has submitted meanwhile, too.
   *
   * @return what was found, or that the cancel is saved in the outbox; a cancel whose first answer
   *     was lost may find nothing when it is repeated
   * @throws JobCallException if no answer came within the request timeout and there is no outbox or
   *     no room in it, a tracker refused the request or this client, or the thread was interrupted
   * @throws IllegalStateException if the client is closed
   */
  public CancelResult cancel(String nodeGroup, String taskId) {
    return jobCalls.cancel(nodeGroup, taskId);
  }

  /** Cancels without waiting for the answer. */
  CompletableFuture<CancelResult> cancelAsync(String nodeGroup, String taskId) {
    return jobCalls.cancelAsync(nodeGroup, taskId);
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
   * @throws JobCallException if requests for the job are saved in the outbox, no answer came within
   *     the request timeout, the tracker refused the request, or the thread was interrupted;
   *     pausing again is harmless
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
   * @throws JobCallException if requests for the job are saved in the outbox, no answer came within
   *     the request timeout, the tracker refused the request, or the thread was interrupted;
   *     resuming again is harmless
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
   * @throws JobCallException if requests for the job are saved in the outbox, no answer came within
   *     the request timeout, the tracker refused the request, or the thread was interrupted; {@link
   *     JobCallException#isOutcomeUnknown} tells whether the job may run all the same
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
   * Asks the tracker that this client is connected to how it is. Answered from memory, so also
   * while its store is away.
   *
   * @throws JobCallException if no answer came within the request timeout
   * @throws IllegalStateException if the client is closed
   */
  public TrackerHealth health() {
    return jobCalls.health();
  }

  /**
   * Sets who hears the ends of triggers, in the place of whoever did so far. Without a listener the
   * client acknowledges nothing and trackers keep what they have to tell.
   *
   * @throws IllegalStateException if this client has no {@linkplain JobClientBuilder#clientGroup
   *     client group}
   */
  public void onResult(ResultListener listener) {
    Objects.requireNonNull(listener, "listener");
    requireClientGroup("a result listener is for feedback");
    inbox.listener(listener);
  }

  /**
   * Sets who hears what became of requests that had been saved in the outbox, also by an earlier
   * process, in the place of whoever did so far. What was delivered before there was a listener is
   * told to the first one. Without an outbox nothing is told.
   */
  public void onDelivered(DeliveryListener listener) {
    Objects.requireNonNull(listener, "listener");
    if (outbox != null) {
      outbox.listener(listener);
    }
  }

  /** How many requests are saved in the outbox and not yet answered and told. */
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
    CompletableFuture<Boolean> empty =
        outbox == null ? CompletableFuture.completedFuture(true) : outbox.whenEmpty();
    boolean nobodyAnswers = link.session() == null && (absence.isGone() || link.refusal() != null);
    if (outbox != null && nobodyAnswers) {
      outbox.nobodyDelivers();
    }
    try {
      return empty.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("to wait never fails", e);
    }
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
   * left or saves it in the outbox, and closes the connection. Idempotent.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    pipeline.close(config.bounds().closeTimeout());
    if (meters != null) {
      meters.close();
    }
    absence.close();
    calls.close();
    if (outbox != null) {
      outbox.close();
    }
    connection.close();
    closeParts.run();
  }

  @Override
  public String toString() {
    return "JobClient " + config.id() + ", " + link.describe();
  }
}
