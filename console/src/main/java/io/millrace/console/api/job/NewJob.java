package io.millrace.console.api.job;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job to be stored. It tells nobody how its triggers end: feedback is for programs.
 *
 * @param schedule when it fires; null for once, now
 * @param traceParent the trace that the job is part of, as W3C Trace Context writes it; null for
 *     that of the request's header, if it has one
 * @param traceState what vendors of tracers keep beside it
 * @param submissionId what a resend is known by; null if none will be sent
 */
public record NewJob(
    String nodeGroup,
    String taskId,
    @Nullable JobSchedule schedule,
    @Nullable Map<String, String> params,
    @Nullable Integer priority,
    @Nullable String handler,
    @Nullable RetryRule retry,
    @Nullable Duration timeout,
    @Nullable OverlapRule overlap,
    @Nullable MisfireRule misfire,
    @Nullable Boolean relyOnPrevCycle,
    @Nullable Boolean replaceExisting,
    @Nullable String traceParent,
    @Nullable String traceState,
    @Nullable String submissionId)
    implements JobForm {}
