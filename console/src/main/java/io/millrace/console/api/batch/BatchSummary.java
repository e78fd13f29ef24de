package io.millrace.console.api.batch;

import io.millrace.api.PartFailurePolicy;
import io.millrace.console.api.PartTally;
import io.millrace.console.api.Times;
import io.millrace.console.api.TriggerSummary;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.BatchStop;
import io.millrace.jobtracker.domain.batch.ReduceState;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.Execution;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run that was split into parts.
 *
 * @param id of the batch, and of its run in the history
 * @param taskId of the run: that of the job, or of the parts of the batch above
 * @param job task id of the job
 * @param run what the run is
 * @param plannedFor the instant that the run is planned for
 * @param ordinal of the run: 0 for a scheduled one, otherwise the number of an extra run or a part
 * @param state ENDED once its run has ended
 * @param kind into what it was split; null once it has ended
 * @param stop why no part begins any more; null unless it is STOPPING
 * @param terminatedBy who terminated it; null if it was not terminated
 * @param splitAt when it was claimed and split
 * @param workerId of the worker that asked for work then
 * @param deadline when it must have ended; null if never
 * @param onPartFailure what a failed part means; null once it has ended
 * @param reduce how far the part is that runs after all others; null once it has ended
 * @param parent the batch one of whose parts this is; null if it is a job's own run
 * @param handler name of the runner of its parts; null for the worker's only runner
 * @param parts how many there are; of a run that has ended, as far as they were counted
 */
public record BatchSummary(
    String id,
    String nodeGroup,
    String taskId,
    String job,
    TriggerSummary.Kind run,
    Instant plannedFor,
    int ordinal,
    BatchState state,
    @Nullable BatchKind kind,
    @Nullable BatchStop stop,
    @Nullable String terminatedBy,
    @Nullable Instant splitAt,
    @Nullable String workerId,
    @Nullable Instant deadline,
    @Nullable PartFailurePolicy onPartFailure,
    @Nullable ReduceState reduce,
    @Nullable String parent,
    @Nullable String handler,
    @Nullable String submittedBy,
    PartTally parts) {

  static BatchSummary of(Batch batch, PartTally parts) {
    Execution run = batch.run();
    Long parent = batch.ancestry().parent();
    return new BatchSummary(
        String.valueOf(batch.id()),
        run.nodeGroup(),
        run.key().taskId(),
        run.spec().part() == null ? run.key().taskId() : run.spec().part().taskId(),
        TriggerSummary.Kind.of(run.key(), run.isOfRecurringJob()),
        Instant.ofEpochMilli(run.plannedFor()),
        run.key().ordinal(),
        batch.state(),
        batch.kind(),
        batch.stop(),
        run.terminatedBy(),
        Instant.ofEpochMilli(run.claimedAt()),
        run.workerId(),
        Times.instant(batch.deadline()),
        batch.onPartFailure(),
        batch.reduce(),
        parent == null ? null : String.valueOf(parent),
        run.spec().handler(),
        run.spec().submittedBy(),
        parts);
  }

  static BatchSummary ended(LedgerEntry run, PartTally parts) {
    return new BatchSummary(
        String.valueOf(run.id()),
        run.nodeGroup(),
        run.key().taskId(),
        run.key().taskId(),
        TriggerSummary.Kind.of(run.key(), run.isOfRecurringJob()),
        Instant.ofEpochMilli(run.plannedFor()),
        run.key().ordinal(),
        BatchState.ENDED,
        null,
        null,
        null,
        Times.instant(run.times().claimedAt()),
        run.workerId(),
        null,
        null,
        null,
        TriggerSummary.Kind.of(run.key(), run.isOfRecurringJob()) == TriggerSummary.Kind.PART
            ? String.valueOf(run.jobId())
            : null,
        run.origin().handler(),
        run.origin().submittedBy(),
        parts);
  }
}
