package io.millrace.jobclient;

import io.millrace.common.outbox.OutboxConfig;
import io.millrace.common.rpc.HostPort;
import io.millrace.common.rpc.TlsTrust;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything a client is told, checked as a whole.
 *
 * @param trackers addresses, host:port, at least one
 * @param token the secret that the trackers know; null where they ask for none
 * @param tls whom to believe; null means no encryption
 * @param clientGroup whom feedback goes to; null if there is none
 * @param id identity of this process, new with every start
 * @param bounds how long and how much
 * @param outbox where requests wait that no tracker answers; null if they are to fail
 */
record JobClientConfig(
    List<String> trackers,
    @Nullable String token,
    @Nullable TlsTrust tls,
    @Nullable String clientGroup,
    String id,
    Bounds bounds,
    @Nullable OutboxConfig outbox) {
  JobClientConfig {
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

  /** A client without a group says so by an empty one, which no feedback goes to. */
  String groupOnTheWire() {
    return clientGroup == null ? "" : clientGroup;
  }

  /** Keeps the token to itself. */
  @Override
  public String toString() {
    return "client %s of group %s, trackers %s, %s".formatted(id, clientGroup, trackers, bounds);
  }

  /**
   * How long and how much.
   *
   * @param requestTimeout how long a call may take, resends included
   * @param connectTimeout how long one attempt to connect may take
   * @param closeTimeout how long a close waits for submits under way
   * @param outboxPatience how long no tracker is connected before requests go to the outbox
   * @param maxJobsInFlight most jobs taken and not yet answered
   */
  record Bounds(
      Duration requestTimeout,
      Duration connectTimeout,
      Duration closeTimeout,
      Duration outboxPatience,
      int maxJobsInFlight) {
    private static final Duration LONGEST = Duration.ofDays(1);

    Bounds {
      requireBetween("requestTimeout", requestTimeout, Duration.ofMillis(1));
      requireBetween("connectTimeout", connectTimeout, Duration.ofMillis(1));
      requireBetween("closeTimeout", closeTimeout, Duration.ZERO);
      requireBetween("outboxPatience", outboxPatience, Duration.ZERO);
      if (maxJobsInFlight < 1) {
        throw new IllegalArgumentException(
            "maxJobsInFlight is " + maxJobsInFlight + ", not 1 or more");
      }
    }

    private static void requireBetween(String name, Duration value, Duration least) {
      if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException(
            "%s is %s, not between %s and %s".formatted(name, value, least, LONGEST));
      }
    }
  }
}
