package io.millrace.console.api.job;

import io.millrace.internal.codec.Flattened;

/**
 * A job with its definition and its current state.
 *
 * @param id of the job, under which the ledger records its ends
 * @param version increases with every edit; 0 for a one-shot
 * @param scheduleInWords in the requested language
 */
public record JobDetail(
    String nodeGroup,
    String taskId,
    String id,
    JobCondition state,
    int version,
    JobSchedule schedule,
    String scheduleInWords,
    @Flattened JobSettings settings,
    @Flattened JobOrigin origin,
    @Flattened JobProgress progress) {}
