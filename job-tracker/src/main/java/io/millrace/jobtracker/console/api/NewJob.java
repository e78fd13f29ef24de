package io.millrace.jobtracker.console.api;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job to be stored, under the names that programs submit jobs with. What is left out is as it is
 * for them. It tells nobody how its triggers end: feedback is for programs.
 *
 * @param traceParent the trace that the job is part of, as W3C Trace Context writes it; null for
 *     that of the request's header, if it has one
 * @param submissionId what a resend is known by; null if none will be sent
 */
public record NewJob(
    String nodeGroup,
    String taskId,
    @Nullable String cron,
    @Nullable ZoneId zone,
    @Nullable Instant at,
    @Nullable Duration after,
    @Nullable Duration every,
    @Nullable Duration fixedDelay,
    @Nullable Long times,
    @Nullable Instant until,
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
    @Nullable String submissionId) {

  /** The same without its key. */
  ReplacementJob definition() {
    return new ReplacementJob(
        cron,
        zone,
        at,
        after,
        every,
        fixedDelay,
        times,
        until,
        params,
        priority,
        handler,
        retry,
        timeout,
        overlap,
        misfire,
        relyOnPrevCycle,
        traceParent,
        submissionId);
  }
}
