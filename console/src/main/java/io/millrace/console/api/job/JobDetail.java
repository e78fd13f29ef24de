package io.millrace.console.api.job;

import io.millrace.console.api.HistoryItem;
import io.millrace.console.api.TriggerRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All there is to know of a job.
 *
 * @param id of the job, under which the ledger keeps its ends
 * @param version rises with every edit; 0 for a one-shot
 * @param scheduleInWords in the language that was asked for
 * @param handler the runner that runs it; null for the worker's only one
 * @param timeout how long an attempt may run; null means as long as it likes
 * @param overlap null for a one-shot, which has none
 * @param misfire null for a one-shot, which has none
 * @param relyOnPrevCycle whether the next trigger is written when the run before it has ended
 * @param feedback whether its client group is told each trigger's end
 * @param clientGroup of whoever submitted it; empty for an operator
 * @param submittedBy node id of the client, or {@code operator/} and a name
 * @param traceParent of the trace that it was submitted in; null if none
 * @param traceState what vendors of tracers keep beside it
 * @param acceptedAt when this version was accepted
 * @param generatedUntil triggers planned up to then exist; null for a one-shot
 * @param generateAt when more of them are written; null if that is not planned
 * @param exhausted whether no fire time is left
 * @param pause null unless it is paused
 * @param executing executions under way, counted up to 1,000
 * @param running triggers that run, retries to come included; null if it may run beside itself
 * @param queued triggers that wait for their turn; null if it may run beside itself
 * @param nextFireAt by its schedule; null unless it is active and that can be foreseen
 * @param nextTrigger the earliest that waits; null if none does
 * @param lastEnd what its ledger says last; null if that is nothing
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
    RetryRule retry,
    @Nullable Duration timeout,
    @Nullable OverlapRule overlap,
    @Nullable MisfireRule misfire,
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
    @Nullable TriggerRow nextTrigger,
    @Nullable HistoryItem lastEnd) {}
