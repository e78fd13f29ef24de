package io.millrace.jobclient.internal.wiring;

import static io.millrace.internal.config.Bounds.atLeast;
import static io.millrace.internal.config.Bounds.between;

import io.millrace.api.OutboxConfig;
import io.millrace.api.TlsTrust;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.rpc.ConnectionLimits;
import io.millrace.internal.rpc.HostPort;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.internal.rpc.Token;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The validated configuration of a client.
 *
 * @param trackers addresses of trackers, as host:port; at least one
 * @param token the secret that the trackers know; null if they require none
 * @param tls which certificates to trust; null means no encryption
 * @param clientGroup the group that receives feedback on the jobs of this client; null if there is
 *     none
 * @param id identity of this process, new with every start
 * @param bounds the bounds of times and amounts
 * @param outbox the outbox, which saves requests that no tracker answers; null if such requests
 *     fail
 */
public record JobClientConfig(
    List<String> trackers,
    @Nullable String token,
    @Nullable TlsTrust tls,
    @Nullable String clientGroup,
    String id,
    Bounds bounds,
    @Nullable OutboxConfig outbox) {
  public JobClientConfig {
    trackers = List.copyOf(trackers);
    if (trackers.isEmpty()) {
      throw new IllegalArgumentException(
          "no tracker is given: name one with trackers(\"host:port\")");
    }
    trackers.forEach(HostPort::parse);
    if (clientGroup != null && clientGroup.isBlank()) {
      throw new IllegalArgumentException("clientGroup is empty");
    }
  }

  /**
   * Returns the configuration of the connector. A client without a group sends an empty group name,
   * which receives no feedback.
   *
   * @throws IllegalArgumentException if the token or the client group is wrong
   */
  public RpcConnectorConfig connector() {
    ConnectionLimits usual = ConnectionLimits.OF_CALLER;
    ConnectionLimits limits =
        new ConnectionLimits(
            usual.maxFrameBytes(),
            usual.maxRequestsUnderWay(),
            usual.maxUnsentBytes(),
            bounds.connectTimeout(),
            usual.idleTimeout(),
            ConnectionLimits.FRAME_TIMEOUT);
    return new RpcConnectorConfig(
        NodeRole.CLIENT,
        id,
        clientGroup == null ? "" : clientGroup,
        token == null ? null : Token.of(token),
        tls,
        limits);
  }

  /** Returns a description without the token. */
  @Override
  public String toString() {
    return "client %s of group %s, trackers %s, %s".formatted(id, clientGroup, trackers, bounds);
  }

  /**
   * The bounds of times and amounts. Times are at most 1 day.
   *
   * @param requestTimeout how long a call may take, including resends; at least 1 ms
   * @param connectTimeout how long one attempt to connect may take; at least 1 ms
   * @param closeTimeout how long a close waits for submits under way
   * @param outboxPatience how long no tracker is connected before requests are saved in the outbox
   * @param maxJobsInFlight maximum number of jobs accepted and not yet answered; at least 1
   */
  public record Bounds(
      Duration requestTimeout,
      Duration connectTimeout,
      Duration closeTimeout,
      Duration outboxPatience,
      int maxJobsInFlight) {
    private static final Duration LONGEST = Duration.ofDays(1);

    public Bounds {
      between(Duration.ofMillis(1), LONGEST).check("requestTimeout", requestTimeout);
      between(Duration.ofMillis(1), LONGEST).check("connectTimeout", connectTimeout);
      between(Duration.ZERO, LONGEST).check("closeTimeout", closeTimeout);
      between(Duration.ZERO, LONGEST).check("outboxPatience", outboxPatience);
      atLeast(1).check("maxJobsInFlight", maxJobsInFlight);
    }
  }

  /**
   * Checks that there is a client group.
   *
   * @param need what needs it
   * @throws IllegalStateException if there is none
   */
  public void requireClientGroup(String need) {
    if (clientGroup == null) {
      throw new IllegalStateException(
          need
              + ", which is sent to a client group, and this client has none: set one with"
              + " JobClient.builder().clientGroup(\"…\")");
    }
  }
}
