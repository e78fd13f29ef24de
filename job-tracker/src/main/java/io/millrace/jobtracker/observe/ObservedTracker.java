package io.millrace.jobtracker.observe;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.store.WaitingStore;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What an observer may use of the tracker that it observes.
 *
 * @param address the address at which nodes reach the tracker
 * @param waiting the waiting triggers
 * @param trouble supplies, from memory, what keeps the tracker from working; null if nothing does
 * @param time the tracker's clock, timer and threads
 * @param random spreads the intervals of timers; thread-safe
 * @param meters the registry in which the tracker counts; an observer may register meters in it too
 */
public record ObservedTracker(
    String address,
    WaitingStore waiting,
    Supplier<@Nullable String> trouble,
    TimedExecutor time,
    RandomGenerator random,
    MeterRegistry meters) {}
