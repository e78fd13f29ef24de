package io.millrace.jobclient.request;

import io.millrace.common.time.Clock;
import io.millrace.common.time.Timer;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * What everything that sends requests needs.
 *
 * @param link reaches a tracker
 * @param clock tells the time
 * @param timer carries time-outs and retries
 * @param executor runs what the timer hands over; never code of the application, which could keep
 *     it from sending
 * @param random spreads retries
 * @param timeouts how long to wait for answers
 */
public record RequestContext(
    TrackerLink link,
    Clock clock,
    Timer timer,
    Executor executor,
    RandomGenerator random,
    Timeouts timeouts) {}
