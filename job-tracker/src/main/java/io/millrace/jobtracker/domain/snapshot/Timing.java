package io.millrace.jobtracker.domain.snapshot;

import java.time.Duration;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a tracker that explanations name.
 *
 * @param defaultZone zone of cron expressions that name none
 * @param misfireThreshold how long after its time an unclaimed trigger counts as missed
 * @param workerLease how long an execution counts as alive after its worker's last pull
 * @param trackerLease how long a tracker counts as alive after it last renewed its lease
 * @param priorityAgeing how long a due trigger waits to gain a level of priority; null if none does
 * @param timeoutGrace how long after its time-out an attempt is left to its worker
 */
public record Timing(
    ZoneId defaultZone,
    Duration misfireThreshold,
    Duration workerLease,
    Duration trackerLease,
    @Nullable Duration priorityAgeing,
    Duration timeoutGrace) {}
