package io.millrace.jobclient;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.api.NodeResources;
import io.millrace.api.OutboxConfig;
import io.millrace.api.OutboxException;
import io.millrace.api.TlsTrust;
import io.millrace.api.TraceContext;
import io.millrace.jobclient.internal.resources.ClientResources;
import io.millrace.jobclient.internal.resources.DefaultClientResources;
import io.millrace.jobclient.internal.wiring.ClientAssembly;
import io.millrace.jobclient.internal.wiring.JobClientConfig;
import io.millrace.jobclient.internal.wiring.NodeNames;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Configures and builds a {@link JobClient}. Not thread-safe. */
public final class JobClientBuilder {
  private List<String> trackers = List.of();
  private @Nullable String token;
  private @Nullable TlsTrust tls;
  private @Nullable String clientGroup;
  private String id = UUID.randomUUID().toString();
  private Duration requestTimeout = Duration.ofSeconds(30);
  private Duration connectTimeout = Duration.ofSeconds(5);
  private Duration closeTimeout = Duration.ofSeconds(10);
  private Duration outboxPatience = Duration.ofSeconds(1);
  private @Nullable OutboxConfig outbox;
  private int maxJobsInFlight = 10_000;
  private @Nullable MeterRegistry meterRegistry;
  private Supplier<@Nullable TraceContext> currentTrace = () -> null;
  private @Nullable ClientResources resources;

  JobClientBuilder() {}

  /**
   * Sets the addresses of trackers, as host:port. The client tries them in turn; one that answers
   * is enough, because it reports the others. At least one address is required.
   */
  public JobClientBuilder trackers(String... addresses) {
    this.trackers = List.of(addresses);
    return this;
  }

  /** Sets the token of clients. Required unless the tracker is configured without one. */
  public JobClientBuilder token(@Nullable String token) {
    this.token = token;
    return this;
  }

  /**
   * Encrypts connections and sets which certificates to trust. By default connections are not
   * encrypted.
   */
  public JobClientBuilder tls(@Nullable TlsTrust trust) {
    this.tls = trust;
    return this;
  }

  /**
   * Sets the client group, which is the name of the application. Each result of a job with feedback
   * goes to one client of the submitting client's group, in any process. By default there is no
   * group; the client then refuses jobs with feedback and result listeners.
   */
  public JobClientBuilder clientGroup(String clientGroup) {
    this.clientGroup = Objects.requireNonNull(clientGroup, "clientGroup");
    return this;
  }

  /**
   * Sets the identity of this process towards trackers. It must not be used again. Random by
   * default.
   */
  public JobClientBuilder id(String id) {
    this.id = Objects.requireNonNull(id, "id");
    return this;
  }

  /**
   * Sets a readable name for this process. Its identity begins with this name, and trackers record
   * the identity with the jobs that it submits and pauses. The name is cut to 100 characters; a
   * blank or a character that is not printable ASCII becomes {@code _}. The rest of the identity is
   * random. Replaces {@link #id}.
   *
   * @throws IllegalArgumentException if the name is blank
   */
  public JobClientBuilder nodeName(String name) {
    this.id = NodeNames.unique(name);
    return this;
  }

  /**
   * Sets how long a call may take in total, including the wait for a tracker and resends. Default:
   * 30 s. Range: 1 ms to 1 day.
   */
  public JobClientBuilder requestTimeout(Duration timeout) {
    this.requestTimeout = Objects.requireNonNull(timeout, "timeout");
    return this;
  }

  /** Sets how long one attempt to connect may take. Default: 5 s. Range: 1 ms to 1 day. */
  public JobClientBuilder connectTimeout(Duration timeout) {
    this.connectTimeout = Objects.requireNonNull(timeout, "timeout");
    return this;
  }

  /**
   * Sets how long a close waits for submits under way. Default: 10 s. Range: 0 to 1 day; with 0 a
   * close does not wait.
   */
  public JobClientBuilder closeTimeout(Duration timeout) {
    this.closeTimeout = Objects.requireNonNull(timeout, "timeout");
    return this;
  }

  /**
   * Sets the maximum number of jobs that are accepted and not yet answered. Default: 10,000; at
   * least 1. A submit beyond this bound waits for room, at most for the request timeout. Then the
   * job is saved in the outbox, or the submit fails without having been sent.
   */
  public JobClientBuilder maxJobsInFlight(int jobs) {
    this.maxJobsInFlight = jobs;
    return this;
  }

  /**
   * Sets the directory of the outbox, which saves submits and cancels that no tracker answers. It
   * holds at most 100,000 requests and 64 MiB, each for at most one day. Without an outbox these
   * requests fail. Only one client at a time can use the directory. It is created if it does not
   * exist.
   *
   * <ul>
   *   <li>The client saves submits and cancels that no tracker answers, and reports that: {@link
   *       io.millrace.api.SubmitStatus#SAVED_LOCALLY}, {@link
   *       io.millrace.api.CancelResult#savedLocally}. It saves them when no tracker has been
   *       connected for a second, when the request timeout is over, and when the client is closed.
   *       A saved request is on the disk and survives every end of the process.
   *   <li>When a tracker is connected, the client delivers saved requests in the background, oldest
   *       first. A later process with the same outbox does so too. A saved submit keeps its
   *       submission id, so a tracker never stores the job twice. The listener of {@link
   *       JobClient#onDelivered} receives the outcome.
   *   <li>While requests for a job are saved, every later submit and cancel of its key is saved
   *       behind them; pause, resume and run now of that job fail. Other jobs are not delayed.
   *   <li>When the outbox is full, a submit that has to be saved fails at once. A request that
   *       could not be delivered for a day is given up, and the listener is notified.
   * </ul>
   */
  public JobClientBuilder outbox(Path directory) {
    return outbox(OutboxConfig.of(directory));
  }

  /** Sets the outbox with its bounds; see {@link #outbox(Path)}. */
  public JobClientBuilder outbox(OutboxConfig config) {
    this.outbox = Objects.requireNonNull(config, "config");
    return this;
  }

  /**
   * Sets how long no tracker may be connected before submits and cancels are saved in the outbox.
   * Default: 1 s. Range: 0 to 1 day. While a tracker is connected but does not answer, they are
   * saved after the request timeout.
   */
  public JobClientBuilder outboxPatience(Duration patience) {
    this.outboxPatience = Objects.requireNonNull(patience, "patience");
    return this;
  }

  /**
   * Sets the registry of the client's meters; docs/monitoring.md lists them. The client removes its
   * gauges when it is closed. By default the client measures nothing and needs no Micrometer on the
   * class path. If several clients of one client group use one registry, the gauges show the first
   * client.
   */
  public JobClientBuilder meterRegistry(MeterRegistry registry) {
    this.meterRegistry = Objects.requireNonNull(registry, "registry");
    return this;
  }

  /**
   * Sets where a submit finds the trace that it is part of. The client asks in the submitting
   * thread, once for each job that names no trace itself; the answer null means that there is no
   * trace. By default jobs have the trace that they name.
   */
  public JobClientBuilder currentTrace(Supplier<@Nullable TraceContext> currentTrace) {
    this.currentTrace = Objects.requireNonNull(currentTrace, "currentTrace");
    return this;
  }

  /**
   * Sets the clock, timer, threads and network of the client, for programs that drive it by hand.
   * The client does not close them. By default it creates its own.
   *
   * @throws IllegalArgumentException if these are not the resources of a client
   */
  public JobClientBuilder resources(NodeResources resources) {
    if (!(Objects.requireNonNull(resources, "resources") instanceof ClientResources ofClient)) {
      throw new IllegalArgumentException("these are not the resources of a client: " + resources);
    }
    this.resources = ofClient;
    return this;
  }

  /**
   * Builds the client. It begins to connect at once and tries again until it is closed. This method
   * does not wait for a connection.
   *
   * @throws IllegalArgumentException if a value is missing or out of bounds; the message names it
   * @throws OutboxException if another client uses the outbox, or if its directory cannot be
   *     written. A damaged file is not a failure: it is put aside and logged
   */
  public JobClient build() {
    JobClientConfig config =
        new JobClientConfig(
            trackers,
            token,
            tls,
            clientGroup,
            id,
            new JobClientConfig.Bounds(
                requestTimeout, connectTimeout, closeTimeout, outboxPatience, maxJobsInFlight),
            outbox);
    if (resources != null) {
      return start(config, resources, () -> {});
    }
    DefaultClientResources own = DefaultClientResources.start(config.connector());
    try {
      return start(config, own.resources(), own::close);
    } catch (RuntimeException failure) {
      own.close();
      throw failure;
    }
  }

  private JobClient start(JobClientConfig config, ClientResources used, Runnable closeResources) {
    ClientAssembly assembly =
        new ClientAssembly(config, used, meterRegistry, JobSubmitException::new, CallFailures::of);
    assembly.start();
    return new JobClient(
        config, assembly, new OutgoingJobs(config, currentTrace), used.listeners(), closeResources);
  }
}
