package io.millrace.console.api.history;

import io.millrace.console.api.TriggerRow;
import io.millrace.jobtracker.domain.trigger.Execution;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An execution that a worker has. When its body began only the worker knows, until it reports.
 *
 * @param ordinal 0 for what was scheduled, otherwise the number of an extra run
 * @param attempt number of this attempt, from 1
 * @param maxAttempts how many there are at most
 * @param dueAt when this attempt might start
 * @param claimedAt when the worker drew it
 * @param timeout how long it may run; null means as long as it likes
 * @param stopRequested whether it was told to stop: no attempt follows
 * @param terminatedBy who terminated it; null if nobody did
 */
public record ExecutionRow(
    String id,
    String nodeGroup,
    String taskId,
    TriggerRow.Kind kind,
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
    String submittedBy) {

  static ExecutionRow of(Execution row) {
    return new ExecutionRow(
        String.valueOf(row.id()),
        row.nodeGroup(),
        row.key().taskId(),
        TriggerRow.Kind.of(row.key(), row.isOfRecurringJob()),
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
        row.spec().submittedBy());
  }
}
