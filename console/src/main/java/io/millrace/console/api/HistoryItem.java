package io.millrace.console.api;

import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.CauseWords;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.store.result.JobResultStore;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The end of an execution, or of a trigger that never ran.
 *
 * @param id of the execution; of a trigger that never ran, the id of its ledger entry
 * @param plannedFor the instant it was planned for
 * @param plannedTo the last instant of a range of instants; null if there is only one
 * @param instants number of planned instants that it stands for
 * @param ordinal 0 for a scheduled trigger, otherwise the number of an extra run or of a part
 * @param batch of a part, the batch that it belongs to; otherwise null
 * @param isFinal whether the trigger ended with it
 * @param reported whether the worker's report ended it
 * @param cause the reason, where the status alone does not say it
 * @param attempt number of the attempt; 0 if the trigger never ran
 * @param startedAt by the worker's clock; null if it never started or the start is not known
 * @param traceParent of the trace in which the job was submitted; null if none
 * @param resultBytes length of the result of the job in UTF-8; null if it has none. The execution
 *     shows the result itself
 */
public record HistoryItem(
    String id,
    String nodeGroup,
    String taskId,
    Instant plannedFor,
    @Nullable Instant plannedTo,
    int instants,
    int ordinal,
    @Nullable String batch,
    int jobVersion,
    LedgerStatus status,
    boolean isFinal,
    boolean reported,
    @Nullable String cause,
    int attempt,
    Instant dueAt,
    Instant generatedAt,
    @Nullable Instant claimedAt,
    @Nullable Instant startedAt,
    Instant finishedAt,
    @Nullable String workerId,
    @Nullable String handler,
    @Nullable String message,
    @Nullable String submissionId,
    @Nullable String submittedBy,
    @Nullable String traceParent,
    @Nullable Integer resultBytes) {

  /**
   * Adds the lengths of the results, which are not read, to rows of the ledger.
   *
   * @param language of the causes
   */
  public static List<HistoryItem> of(
      List<LedgerEntry> rows, JobResultStore results, Locale language) {
    List<Long> succeeded =
        rows.stream()
            .filter(row -> row.status() == LedgerStatus.SUCCEEDED)
            .map(LedgerEntry::id)
            .toList();
    Map<Long, Integer> sizes = succeeded.isEmpty() ? Map.of() : results.sizes(succeeded);
    return rows.stream().map(row -> of(row, sizes.get(row.id()), language)).toList();
  }

  /**
   * Shows a row of the ledger and the length of its result.
   *
   * @param language of the cause
   */
  public static HistoryItem of(LedgerEntry row, @Nullable Integer resultBytes, Locale language) {
    return new HistoryItem(
        String.valueOf(row.id()),
        row.nodeGroup(),
        row.key().taskId(),
        Instant.ofEpochMilli(row.plannedFor()),
        row.plannedTo() == row.plannedFor() ? null : Instant.ofEpochMilli(row.plannedTo()),
        (int) Math.min(Integer.MAX_VALUE, row.instants()),
        row.key().ordinal(),
        PartKey.of(row.core()).map(part -> String.valueOf(part.batchId())).orElse(null),
        row.jobVersion(),
        row.status(),
        row.status().isFinal(),
        row.reported(),
        CauseWords.say(row.cause(), language),
        row.attempt(),
        Instant.ofEpochMilli(row.times().dueAt()),
        Instant.ofEpochMilli(row.times().generatedAt()),
        Times.instant(row.times().claimedAt()),
        Times.instant(row.times().startedAt()),
        Instant.ofEpochMilli(row.times().finishedAt()),
        row.workerId(),
        row.origin().handler(),
        row.message(),
        row.origin().submissionId(),
        row.origin().submittedBy(),
        row.origin().traceParent(),
        resultBytes);
  }
}
