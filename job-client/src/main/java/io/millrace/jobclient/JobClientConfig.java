package io.millrace.jobclient;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a client was built with.
 *
 * @param trackers addresses, host:port, at least one
 * @param token the secret that the trackers know; null on a tracker that asks for none
 * @param clientGroup whom feedback goes to
 * @param requestTimeout how long a call may take, resends included
 * @param connectTimeout how long one attempt to connect may take
 * @param closeTimeout how long a close waits for calls under way
 * @param maxJobsInFlight most jobs taken and not yet answered
 */
record JobClientConfig(
    List<String> trackers,
    @Nullable String token,
    String clientGroup,
    Duration requestTimeout,
    Duration connectTimeout,
    Duration closeTimeout,
    int maxJobsInFlight) {

  JobClientConfig {
    trackers = List.copyOf(trackers);
    if (trackers.isEmpty()) {
      throw new IllegalArgumentException("no tracker is given; trackers(\"host:port\") names them");
    }
    trackers.forEach(JobClientConfig::requireHostAndPort);
    if (clientGroup.isBlank()) {
      throw new IllegalArgumentException("clientGroup is blank");
    }
    requirePositive("requestTimeout", requestTimeout);
    requirePositive("connectTimeout", connectTimeout);
    if (closeTimeout.isNegative()) {
      throw new IllegalArgumentException("closeTimeout is negative: " + closeTimeout);
    }
    if (maxJobsInFlight < 1) {
      throw new IllegalArgumentException(
          "maxJobsInFlight is " + maxJobsInFlight + ", not 1 or more");
    }
  }

  private static void requireHostAndPort(String tracker) {
    if (!tracker.matches("\\S+:\\d{1,5}")) {
      throw new IllegalArgumentException("tracker \"" + tracker + "\" is not host:port");
    }
  }

  private static void requirePositive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " is " + value + ", not longer than zero");
    }
  }

  /** Says nothing of the token. */
  @Override
  public String toString() {
    return "client group %s of trackers %s, request time-out %s"
        .formatted(clientGroup, trackers, requestTimeout);
  }
}
