package io.millrace.jobclient.internal.request;

import io.millrace.internal.config.Check;
import java.time.Duration;

/**
 * The times that a client waits for answers.
 *
 * @param request how long a call may take until its answer, including resends; longer than zero
 * @param attempt how long one request may take before it is sent again
 */
public record Timeouts(Duration request, Duration attempt) {
  private static final Duration SHORTEST_ATTEMPT = Duration.ofSeconds(1);

  public Timeouts {
    Check.positive("requestTimeout", request);
  }

  /**
   * Returns the timeouts for this request timeout. An attempt may take a third of it, but at least
   * 1 s, so that a tracker that hangs leaves time to ask another.
   */
  public static Timeouts of(Duration request) {
    Duration third = request.dividedBy(3);
    return new Timeouts(request, third.compareTo(SHORTEST_ATTEMPT) < 0 ? SHORTEST_ATTEMPT : third);
  }
}
