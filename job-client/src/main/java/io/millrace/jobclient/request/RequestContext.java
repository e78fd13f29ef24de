package io.millrace.jobclient.request;

import io.millrace.common.time.Clock;
import io.millrace.common.time.Timer;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * The dependencies that all senders of requests share.
 *
 * @param link reaches a tracker
 * @param clock provides the time
 * @param timer schedules time-outs and retries
 * @param executor runs the tasks of the timer; never runs code of the application, which could
 *     block sending
 * @param random spreads retries over time
 * @param timeouts how long to wait for answers
 */
public record RequestContext(
    TrackerLink link,
    Clock clock,
    Timer timer,
    Executor executor,
    RandomGenerator random,
    Timeouts timeouts) {}
