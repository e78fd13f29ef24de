package io.millrace.console.api.job;

import io.millrace.common.model.MisfirePolicy;
import io.millrace.common.model.RetryPolicy;
import io.millrace.console.api.HistoryItem;
import io.millrace.console.api.TriggerSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job with its definition and its current state.
 *
 * @param id of the job, under which the ledger records its ends
 * @param version increases with every edit; 0 for a one-shot
 * @param scheduleInWords in the requested language
 * @param handler name of its runner; null for the worker's only runner
 * @param timeout the longest time an attempt may run; null for no limit
 * @param overlap null for a one-shot
 * @param misfire null for a one-shot
 * @param relyOnPrevCycle whether the next trigger is generated only after the previous run ends;
 *     false for a fixed delay, which implies it
 * @param feedback whether its client group is notified of each trigger's end
 * @param clientGroup of the submitting client; empty for an operator
 * @param submittedBy node id of the client, or {@code operator/} and the name of a token
 * @param traceParent of the trace in which it was submitted; null if none
 * @param traceState vendor data of that trace; null if none
 * @param acceptedAt when this version was accepted
 * @param generatedUntil triggers planned up to this instant are generated; null for a one-shot
 * @param generateAt when more triggers are generated; null if that is not planned
 * @param exhausted whether no fire time is left
 * @param pause null unless it is paused
 * @param executing executions in progress, counted up to 1,000
 * @param running triggers that have begun and not ended, pending retries included; null if runs of
 *     the job may overlap
 * @param queued triggers that wait for their turn; null if runs of the job may overlap
 * @param nextFireAt the next fire time of its schedule; null unless it is active and the time can
 *     be predicted
 * @param nextTrigger the earliest waiting trigger; null if there is none
 * @param lastEnd its latest ledger entry; null if there is none
 */
public record JobDetail(
    String nodeGroup,
    String taskId,
    String id,
    JobCondition state,
    int version,
    JobSchedule schedule,
    String scheduleInWords,
    Map<String, String> params,
    int priority,
    @Nullable String handler,
    RetryPolicy retry,
    @Nullable Duration timeout,
    @Nullable OverlapRule overlap,
    @Nullable MisfirePolicy misfire,
    boolean relyOnPrevCycle,
    boolean feedback,
    String clientGroup,
    String submissionId,
    String submittedBy,
    @Nullable String traceParent,
    @Nullable String traceState,
    Instant acceptedAt,
    @Nullable Instant generatedUntil,
    @Nullable Instant generateAt,
    boolean exhausted,
    @Nullable JobPause pause,
    int executing,
    @Nullable Integer running,
    @Nullable Integer queued,
    @Nullable Instant nextFireAt,
    @Nullable TriggerSummary nextTrigger,
    @Nullable HistoryItem lastEnd) {}
