package io.millrace.console.api.trigger;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job that will run.
 *
 * @param recurring whether it has a schedule; a one-shot has not
 * @param handler the runner that runs it; null for the worker's only one
 * @param scheduleInWords null for a one-shot
 * @param fires when it falls due, rising: by its schedule, and for retries and extra runs; 60 at
 *     most
 * @param more whether it falls due again in the same time
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
