package io.millrace.jobclient;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.common.outbox.OutboxConfig;
import io.millrace.common.outbox.OutboxException;
import io.millrace.common.rpc.TlsTrust;
import io.millrace.jobclient.resources.ClientResources;
import io.millrace.jobclient.resources.DefaultClientResources;
import io.millrace.jobclient.wiring.ClientAssembly;
import io.millrace.jobclient.wiring.JobClientConfig;
import io.millrace.jobclient.wiring.NodeNames;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Describes a {@link JobClient}. Not thread-safe. */
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
  private @Nullable ClientResources resources;

  JobClientBuilder() {}

  /** Addresses of trackers, as host:port, tried in turn. One that answers is enough. */
  public JobClientBuilder trackers(String... addresses) {
    this.trackers = List.of(addresses);
    return this;
  }

  /** The token of clients. Needed unless the tracker asks for none. */
  public JobClientBuilder token(@Nullable String token) {
    this.token = token;
    return this;
  }

  /** Encrypts connections; says which certificates to trust. Off unless set. */
  public JobClientBuilder tls(@Nullable TlsTrust trust) {
    this.tls = trust;
    return this;
  }

  /**
   * Receives feedback on this client's jobs: any one client of this group does, in any process. So
   * it is the name of the application. None unless set; without it jobs with feedback and result
   * listeners are refused.
   */
  public JobClientBuilder clientGroup(String clientGroup) {
    this.clientGroup = Objects.requireNonNull(clientGroup, "clientGroup");
    return this;
  }

  /** Identity of this process towards trackers; must not be used again. Random unless set. */
  public JobClientBuilder id(String id) {
    this.id = Objects.requireNonNull(id, "id");
    return this;
  }

  /**
   * Names this process for people: its identity begins with this name, and trackers record it with
   * what it submits and pauses. Cut to 100 characters; a character that is not printable ASCII
   * becomes {@code _}. The rest of the identity is random. Replaces {@link #id}.
   *
   * @throws IllegalArgumentException if the name is blank
   */
  public JobClientBuilder nodeName(String name) {
    this.id = NodeNames.unique(name);
    return this;
  }

  /**
   * How long a call may take in all, waiting for a tracker and resends included; 30 s unless set.
   */
  public JobClientBuilder requestTimeout(Duration timeout) {
    this.requestTimeout = Objects.requireNonNull(timeout, "timeout");
    return this;
  }

  /** How long one attempt to connect may take; 5 s unless set. */
  public JobClientBuilder connectTimeout(Duration timeout) {
    this.connectTimeout = Objects.requireNonNull(timeout, "timeout");
    return this;
  }

  /** How long a close waits for submits under way; 10 s unless set, zero waits for nothing. */
  public JobClientBuilder closeTimeout(Duration timeout) {
    this.closeTimeout = Objects.requireNonNull(timeout, "timeout");
    return this;
  }

  /**
   * Most jobs taken and not yet answered; 10,000 unless set. A submit beyond waits for room, at
   * most for the request timeout; then it goes to the outbox, or fails without having been sent.
   */
  public JobClientBuilder maxJobsInFlight(int jobs) {
    this.maxJobsInFlight = jobs;
    return this;
  }

  /**
   * Saves submits and cancels that no tracker answers in this directory, at most 100,000 of them
   * and 64 MiB, for at most one day; see {@link JobClient}. Without it they fail. The directory
   * belongs to one client at a time, and is created if it does not exist.
   */
  public JobClientBuilder outbox(Path directory) {
    return outbox(OutboxConfig.of(directory));
  }

  /** The same, with other bounds. */
  public JobClientBuilder outbox(OutboxConfig config) {
    this.outbox = Objects.requireNonNull(config, "config");
    return this;
  }

  /**
   * How long no tracker may be connected before submits and cancels go to the outbox; 1 s unless
   * set. While one is connected and does not answer, they go there after the request timeout.
   */
  public JobClientBuilder outboxPatience(Duration patience) {
    this.outboxPatience = Objects.requireNonNull(patience, "patience");
    return this;
  }

  /**
   * Where the client counts what it does, until it is closed; docs/monitoring.md names the meters. It
   * counts nothing unless this is set, and then needs no Micrometer on the class path. Of several
   * clients of one client group in one registry the gauges show the first.
   */
  public JobClientBuilder meterRegistry(MeterRegistry registry) {
    this.meterRegistry = Objects.requireNonNull(registry, "registry");
    return this;
  }

  /**
   * What the client runs on, for programs that drive it by hand. The client does not close it; by
   * default it makes its own.
   */
  public JobClientBuilder resources(ClientResources resources) {
    this.resources = Objects.requireNonNull(resources, "resources");
    return this;
  }

  /**
   * Makes the client, which begins to connect at once and goes on trying until it is closed. Does
   * not wait for a connection.
   *
   * @throws IllegalArgumentException if a value is missing or out of bounds; says which
   * @throws OutboxException if the outbox is in use by another client, or its directory cannot be
   *     written. A damaged file is no failure: it is put aside, and logged
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
        new ClientAssembly(
            config, used, meterRegistry, JobSubmitException::new, JobCallException::new);
    assembly.start();
    return new JobClient(config, assembly, used.listeners(), closeResources);
  }
}
