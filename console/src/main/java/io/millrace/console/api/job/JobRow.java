package io.millrace.console.api.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A recurring job as a list shows it.
 *
 * @param state ACTIVE, PAUSED, FINISHED or CANCELLED
 * @param scheduleInWords in the language that was asked for
 * @param handler the runner that runs it; null for the worker's only one
 * @param version rises with every edit
 * @param pause null unless it is paused
 * @param running triggers that run; null if it may run beside itself
 * @param queued triggers that wait for their turn; null if it may run beside itself
 * @param nextFireAt by its schedule; null unless it is active, or if the next one is known only
 *     once the run before it has ended
 */
public record JobRow(
    String nodeGroup,
    String taskId,
    JobCondition state,
    JobSchedule schedule,
    String scheduleInWords,
    int priority,
    @Nullable String handler,
    int version,
    @Nullable JobPause pause,
    @Nullable Integer running,
    @Nullable Integer queued,
    @Nullable Instant nextFireAt) {}
