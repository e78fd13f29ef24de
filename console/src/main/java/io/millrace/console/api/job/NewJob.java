package io.millrace.console.api.job;

import io.millrace.common.model.MisfirePolicy;
import io.millrace.common.model.RetryPolicy;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job to submit. Its ends are not notified, because feedback is for programs.
 *
 * @param schedule when it fires; null means once, now
 * @param traceParent the trace that the job is part of, in the format of W3C Trace Context; null
 *     for the trace of the request's header, if there is one
 * @param traceState vendor data of that trace
 * @param submissionId identifies a resend of the same request; null if there will be none
 */
public record NewJob(
    String nodeGroup,
    String taskId,
    @Nullable JobSchedule schedule,
    @Nullable Map<String, String> params,
    @Nullable Integer priority,
    @Nullable String handler,
    @Nullable RetryPolicy retry,
    @Nullable Duration timeout,
    @Nullable OverlapRule overlap,
    @Nullable MisfirePolicy misfire,
    @Nullable Boolean relyOnPrevCycle,
    @Nullable Boolean replaceExisting,
    @Nullable String traceParent,
    @Nullable String traceState,
    @Nullable String submissionId)
    implements JobForm {}
