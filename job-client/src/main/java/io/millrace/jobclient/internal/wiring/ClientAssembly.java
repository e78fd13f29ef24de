package io.millrace.jobclient.internal.wiring;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.tracker.TrackerConnection;
import io.millrace.internal.rpc.tracker.TrackerConnectionConfig;
import io.millrace.internal.rpc.tracker.TrackerConnectionListener;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobclient.internal.calls.JobCalls;
import io.millrace.jobclient.internal.calls.OutcomeCalls;
import io.millrace.jobclient.internal.calls.RetryingCalls;
import io.millrace.jobclient.internal.metrics.ClientMeters;
import io.millrace.jobclient.internal.outbox.JobOutbox;
import io.millrace.jobclient.internal.request.FailureFactory;
import io.millrace.jobclient.internal.request.JobKey;
import io.millrace.jobclient.internal.request.RequestContext;
import io.millrace.jobclient.internal.request.SubmissionIds;
import io.millrace.jobclient.internal.request.Timeouts;
import io.millrace.jobclient.internal.resources.ClientResources;
import io.millrace.jobclient.internal.results.ResultInbox;
import io.millrace.jobclient.internal.submit.InFlightBound;
import io.millrace.jobclient.internal.submit.SubmitBounds;
import io.millrace.jobclient.internal.submit.SubmitMeasures;
import io.millrace.jobclient.internal.submit.SubmitPipeline;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Assembles, starts and closes the parts of one client. */
public final class ClientAssembly implements AutoCloseable {
  private final JobClientConfig config;
  private final RequestContext context;
  private final ResultInbox inbox;
  private final TrackerConnection connection;
  private final @Nullable JobOutbox outbox;
  private final @Nullable OutageDetector outages;
  private final @Nullable ClientMeters meters;
  private final SubmitPipeline pipeline;
  private final RetryingCalls calls;
  private final OutcomeCalls outcomes;
  private final JobCalls jobCalls;

  /**
   * Creates the parts; no request is sent before {@link #start}.
   *
   * @param registry the registry of the meters; null if the client measures nothing
   * @param submitFailures creates the exceptions of submits
   * @param callFailures converts failures of all other calls to exceptions of the public API
   * @throws io.millrace.api.OutboxException if the outbox is in use or cannot be used
   */
  public ClientAssembly(
      JobClientConfig config,
      ClientResources resources,
      @Nullable MeterRegistry registry,
      FailureFactory submitFailures,
      Function<Throwable, RuntimeException> callFailures) {
    this.config = config;
    this.inbox = new ResultInbox(resources.listeners());
    this.connection = connection(config, resources, inbox);
    JobOutbox saved =
        config.outbox() == null ? null : JobOutbox.open(config.outbox(), resources, connection);
    this.outbox = saved;
    this.context =
        new RequestContext(
            connection,
            new TimedExecutor(resources.clock(), resources.timer(), resources.tasks()),
            resources.random(),
            Timeouts.of(config.bounds().requestTimeout()));
    SubmitBounds bounds = SubmitBounds.of(config.bounds().maxJobsInFlight());
    InFlightBound inFlight = new InFlightBound(bounds.jobsInFlight(), bounds.bytesInFlight());
    String group = Objects.requireNonNullElse(config.clientGroup(), "none");
    this.meters =
        registry == null
            ? null
            : new ClientMeters(registry, group, resources.clock(), inFlight, connection, outbox);
    SubmitMeasures measures = meters == null ? SubmitMeasures.NONE : meters;
    SubmissionIds ids = new SubmissionIds(resources.clock(), resources.random());
    this.pipeline =
        new SubmitPipeline(context, bounds, ids, inFlight, outbox, measures, submitFailures);
    this.calls = new RetryingCalls(context);
    this.outcomes =
        new OutcomeCalls(
            calls,
            context,
            job -> saved != null && saved.holds(new JobKey(job.nodeGroup(), job.taskId())));
    this.jobCalls =
        new JobCalls(
            calls, outcomes, ids, callFailures, resources.listeners(), outbox, pipeline.saver());
    this.outages = outbox == null ? null : outages(config, context, pipeline, calls, outbox);
  }

  private static TrackerConnection connection(
      JobClientConfig config, ClientResources resources, ResultInbox inbox) {
    return new TrackerConnection(
        resources.connector(),
        inbox,
        TrackerConnectionConfig.of(config.trackers()),
        resources.timer(),
        resources.tasks(),
        resources.random());
  }

  private static OutageDetector outages(
      JobClientConfig config,
      RequestContext context,
      SubmitPipeline pipeline,
      RetryingCalls calls,
      JobOutbox outbox) {
    return new OutageDetector(
        config.bounds().outboxPatience(),
        context.time(),
        context.link(),
        () -> {
          pipeline.trackersAreGone();
          calls.trackersAreGone();
          outbox.waiters().trackersAreGone();
        });
  }

  /** Begins to connect, and to deliver requests that an earlier process has saved. */
  public void start() {
    connection.addListener(new ConnectionEvents());
    if (outbox != null && outages != null) {
      outbox.start(this::sendSaved);
      outages.disconnected();
    }
    connection.start();
  }

  private CompletableFuture<?> sendSaved(JobKey key, @Nullable JobSubmission submission) {
    return submission == null
        ? calls.deliver("cancel of " + key, new CancelRequest(key.nodeGroup(), key.taskId()))
        : pipeline.sendSaved(submission);
  }

  public SubmitPipeline pipeline() {
    return pipeline;
  }

  public JobCalls calls() {
    return jobCalls;
  }

  /** Returns what other senders of requests need. */
  public RequestContext context() {
    return context;
  }

  public ResultInbox inbox() {
    return inbox;
  }

  public @Nullable JobOutbox outbox() {
    return outbox;
  }

  public TrackerConnection connection() {
    return connection;
  }

  /**
   * Waits for submits under way for at most the close timeout, saves or fails the rest, and closes
   * all parts.
   */
  @Override
  public void close() {
    pipeline.close(config.bounds().closeTimeout());
    if (meters != null) {
      meters.close();
    }
    if (outages != null) {
      outages.close();
    }
    outcomes.close();
    calls.close();
    if (outbox != null) {
      outbox.close();
    }
    connection.close();
  }

  /** Notifies the parts when a tracker is connected, disconnected, or refuses the client. */
  private final class ConnectionEvents implements TrackerConnectionListener {

    @Override
    public void connected(Session session) {
      if (outages != null) {
        outages.connected();
      }
      pipeline.connected();
      calls.connected();
      if (outbox != null) {
        outbox.connected();
      }
    }

    @Override
    public void refused(RpcException refusal) {
      pipeline.failIfRefused();
      calls.failIfRefused();
      if (outbox != null) {
        outbox.waiters().notifyUndeliverable();
      }
    }

    @Override
    public void disconnected() {
      if (outages != null) {
        outages.disconnected();
      }
    }
  }
}
