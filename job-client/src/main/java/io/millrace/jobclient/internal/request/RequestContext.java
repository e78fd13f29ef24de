package io.millrace.jobclient.internal.request;

import io.millrace.internal.rpc.tracker.TrackerLink;
import io.millrace.internal.time.Clock;
import io.millrace.internal.time.TimedExecutor;
import java.util.random.RandomGenerator;

/**
 * The dependencies that all senders of requests share.
 *
 * @param link reaches a tracker
 * @param time provides the time, schedules time-outs and retries, and runs them; never runs code of
 *     the application, which could block sending
 * @param random spreads retries over time
 * @param timeouts how long to wait for answers
 */
public record RequestContext(
    TrackerLink link, TimedExecutor time, RandomGenerator random, Timeouts timeouts) {

  /** Returns the clock of {@link #time}. */
  public Clock clock() {
    return time.clock();
  }
}
