package io.millrace.console.api.batch;

import io.millrace.console.api.ProgressSummary;
import io.millrace.console.api.Times;
import io.millrace.internal.protocol.ExecutionProgress;
import io.millrace.jobtracker.domain.outcome.CauseWords;
import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A part of a run that was split.
 *
 * @param number of the part, from 1
 * @param lastNumber if it stands for several parts, which were cancelled before they were released:
 *     the number of the last; otherwise null
 * @param execution id of the execution that runs it, or with which it ended; null while it waits
 * @param isSplit whether it was split itself: then the execution is a batch
 * @param attempt number of the attempt, or of the next one while it waits; 0 if it never ran
 * @param dueAt when this attempt may start, or could
 * @param claimedAt null unless a worker has claimed it
 * @param startedAt by the worker's clock; null if it is not known
 * @param finishedAt null unless it has ended
 * @param workerId of the worker that runs it or ran it last; while it waits, of the one that alone
 *     may run it, if it is part of a broadcast
 * @param stopRequested whether it was asked to stop
 * @param cause why it ended so; null if the state says it all
 * @param message what the job said; null if nothing
 * @param progress how far it has come, a few seconds ago; null if its job does not say
 * @param dead of a dead one, whether it was replayed or discarded; otherwise null
 */
public record PartSummary(
    int number,
    @Nullable Integer lastNumber,
    PartCondition state,
    @Nullable String execution,
    boolean isSplit,
    int attempt,
    Instant dueAt,
    @Nullable Instant claimedAt,
    @Nullable Instant startedAt,
    @Nullable Instant finishedAt,
    @Nullable String workerId,
    boolean stopRequested,
    @Nullable String cause,
    @Nullable String message,
    @Nullable ProgressSummary progress,
    @Nullable DeadState dead) {

  static PartSummary waiting(WaitingTrigger row) {
    TriggerSpec spec = row.spec();
    BoundTo bound = spec == null ? null : spec.boundTo();
    return new PartSummary(
        row.key().ordinal(),
        null,
        PartCondition.WAITING,
        null,
        false,
        row.attempt(),
        Instant.ofEpochMilli(row.dueAt()),
        null,
        null,
        null,
        bound == null ? null : bound.workerId(),
        false,
        null,
        null,
        null,
        null);
  }

  static PartSummary running(Execution row, boolean isSplit, @Nullable ExecutionProgress progress) {
    return new PartSummary(
        row.key().ordinal(),
        null,
        PartCondition.RUNNING,
        String.valueOf(row.id()),
        isSplit,
        row.attempt(),
        Instant.ofEpochMilli(row.dueAt()),
        Instant.ofEpochMilli(row.claimedAt()),
        null,
        null,
        row.workerId(),
        row.stopRequested(),
        null,
        null,
        progress == null ? null : ProgressSummary.of(progress),
        null);
  }

  static PartSummary ended(LedgerEntry row, @Nullable DeadState dead, Locale language) {
    int number = row.key().ordinal();
    return new PartSummary(
        number,
        row.instants() == 1 ? null : (Integer) (int) (number + row.instants() - 1),
        PartCondition.valueOf(row.status().name()),
        String.valueOf(row.id()),
        false,
        row.attempt(),
        Instant.ofEpochMilli(row.times().dueAt()),
        Times.instant(row.times().claimedAt()),
        Times.instant(row.times().startedAt()),
        Instant.ofEpochMilli(row.times().finishedAt()),
        row.workerId(),
        false,
        CauseWords.say(row.cause(), language),
        row.message(),
        null,
        dead);
  }
}
