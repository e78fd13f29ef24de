package io.millrace.console.api.trigger;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job that will run.
 *
 * @param recurring whether it is a recurring job; otherwise it is a one-shot
 * @param handler name of its runner; null for the worker's only runner
 * @param scheduleInWords null for a one-shot
 * @param fires when it is due, ascending: by its schedule, for retries and for extra runs; at most
 *     60
 * @param more whether it is due more often within the span
 */
public record UpcomingJob(
    String nodeGroup,
    String taskId,
    boolean recurring,
    int priority,
    @Nullable String handler,
    @Nullable String scheduleInWords,
    List<Instant> fires,
    boolean more) {}
