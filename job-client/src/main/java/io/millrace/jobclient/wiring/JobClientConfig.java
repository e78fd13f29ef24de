package io.millrace.jobclient.wiring;

import io.millrace.common.model.NodeRole;
import io.millrace.common.outbox.OutboxConfig;
import io.millrace.common.rpc.ConnectionLimits;
import io.millrace.common.rpc.HostPort;
import io.millrace.common.rpc.RpcConnectorConfig;
import io.millrace.common.rpc.TlsTrust;
import io.millrace.common.rpc.Token;
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
      requireBetween("requestTimeout", requestTimeout, Duration.ofMillis(1));
      requireBetween("connectTimeout", connectTimeout, Duration.ofMillis(1));
      requireBetween("closeTimeout", closeTimeout, Duration.ZERO);
      requireBetween("outboxPatience", outboxPatience, Duration.ZERO);
      if (maxJobsInFlight < 1) {
        throw new IllegalArgumentException(
            "maxJobsInFlight is " + maxJobsInFlight + ", but must be at least 1");
      }
    }

    private static void requireBetween(String name, Duration value, Duration least) {
      if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException(
            "%s is %s, but must be between %s and %s".formatted(name, value, least, LONGEST));
      }
    }
  }
}
