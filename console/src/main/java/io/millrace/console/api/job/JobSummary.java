package io.millrace.console.api.job;

import io.millrace.console.api.JobRun;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A recurring job in a list.
 *
 * @param state ACTIVE, PAUSED, FINISHED or CANCELLED
 * @param scheduleInWords in the requested language
 * @param handler name of its runner; null for the worker's only runner
 * @param shards how many parts each run is split into; null if it is not split
 * @param broadcast whether each run is split into one part for each worker
 * @param version increases with every edit
 * @param pause null unless it is paused
 * @param running triggers that have begun and not ended; null if runs of the job may overlap
 * @param queued triggers that wait for their turn; null if runs of the job may overlap
 * @param nextFireAt the next fire time of its schedule; null unless it is active, or if the time is
 *     known only after the previous run ends
 * @param owner the owner that declares it; null if it is not declared
 * @param lastRuns its ended runs, latest planned time first; null unless the request asks for runs
 */
public record JobSummary(
    String nodeGroup,
    String taskId,
    JobCondition state,
    JobSchedule schedule,
    String scheduleInWords,
    int priority,
    @Nullable String handler,
    @Nullable Integer shards,
    boolean broadcast,
    int version,
    @Nullable JobPause pause,
    @Nullable Integer running,
    @Nullable Integer queued,
    @Nullable Instant nextFireAt,
    @Nullable String owner,
    @Nullable List<JobRun> lastRuns) {}
