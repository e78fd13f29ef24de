package io.millrace.console.api.history;

import io.millrace.console.api.PartOfRun;
import io.millrace.console.api.PartTally;
import io.millrace.console.api.ProgressSummary;
import io.millrace.console.api.TriggerSummary;
import io.millrace.internal.protocol.ExecutionProgress;
import io.millrace.jobtracker.domain.trigger.Execution;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An execution that a worker holds, or a run that was split into parts. The start of its invocation
 * is unknown to the tracker until the worker reports.
 *
 * @param ordinal 0 for a scheduled trigger, otherwise the number of an extra run
 * @param attempt number of this attempt, from 1
 * @param maxAttempts the most attempts of the trigger
 * @param dueAt the earliest start of this attempt
 * @param claimedAt when it was claimed for the worker
 * @param timeout the longest time it may run; null for no limit
 * @param stopRequested whether its stop was requested; then no attempt follows
 * @param terminatedBy who terminated it; null if it was not terminated
 * @param progress how far it has come, a few seconds ago; null if its job does not say
 * @param part which part of a run it does; null if it does a whole run
 * @param parts how far its parts are, if it was split: then no worker holds it, the worker is the
 *     one that split it, and its id is that of the batch; otherwise null
 */
public record ExecutionSummary(
    String id,
    String nodeGroup,
    String taskId,
    TriggerSummary.Kind kind,
    Instant plannedFor,
    int ordinal,
    int attempt,
    int maxAttempts,
    int priority,
    Instant dueAt,
    Instant claimedAt,
    String workerId,
    @Nullable String handler,
    @Nullable Duration timeout,
    int jobVersion,
    boolean stopRequested,
    @Nullable String terminatedBy,
    String submittedBy,
    @Nullable ProgressSummary progress,
    @Nullable PartOfRun part,
    @Nullable PartTally parts) {

  static ExecutionSummary of(
      Execution row, @Nullable ExecutionProgress progress, @Nullable PartTally parts) {
    return new ExecutionSummary(
        String.valueOf(row.id()),
        row.nodeGroup(),
        row.key().taskId(),
        TriggerSummary.Kind.of(row.key(), row.isOfRecurringJob()),
        Instant.ofEpochMilli(row.plannedFor()),
        row.key().ordinal(),
        row.attempt(),
        Math.max(row.attempt(), row.spec().retry().maxRetries() + 1),
        row.priority(),
        Instant.ofEpochMilli(row.dueAt()),
        Instant.ofEpochMilli(row.claimedAt()),
        row.workerId(),
        row.spec().handler(),
        row.spec().timeout(),
        row.jobVersion(),
        row.stopRequested(),
        row.terminatedBy(),
        row.spec().submittedBy(),
        progress == null ? null : ProgressSummary.of(progress),
        PartOfRun.of(row.spec().part(), row.key()),
        parts);
  }
}
