package io.millrace.jobtracker.domain.outcome;

import io.millrace.api.Disposition;
import io.millrace.api.TriggerResult;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerRecord;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One row of the ledger ({@code jt_history}): the end of one execution, or of a trigger that never
 * ran, or of a run of planned instants that never ran. Times are epoch milliseconds.
 *
 * @param id the execution's id, so that the row prevents a second end of the same execution; if
 *     there was no execution, an id of its own
 * @param nodeGroup the job's node group
 * @param core what every row about the trigger has; the attempt of a trigger that ended while it
 *     waited is the number of its attempts before, 0 if it never ran
 * @param status how it ended
 * @param reported whether the worker's report ended it, rather than the tracker
 * @param cause why, if the status alone does not explain it; otherwise null
 * @param plannedTo last instant of a run of instants; otherwise equal to plannedFor
 * @param instants how many planned instants the row stands for
 * @param times when it was written, began and ended
 * @param workerId null if never claimed
 * @param message text from the worker
 * @param origin what the job says of itself
 */
public record LedgerEntry(
    long id,
    String nodeGroup,
    TriggerCore core,
    LedgerStatus status,
    boolean reported,
    @Nullable Cause cause,
    long plannedTo,
    long instants,
    Times times,
    @Nullable String workerId,
    @Nullable String message,
    Origin origin)
    implements TriggerRecord {

  /** What applications are told of the end of a trigger; null if the trigger has not ended. */
  public @Nullable TriggerResult result() {
    return result(null);
  }

  /**
   * As {@link #result()}, with what the job returned.
   *
   * @param json the value as JSON; null if there is none
   */
  public @Nullable TriggerResult result(@Nullable String json) {
    Disposition disposition = status.disposition();
    return disposition == null
        ? null
        : new TriggerResult(
            nodeGroup,
            key().taskId(),
            Instant.ofEpochMilli(plannedFor()),
            key().ordinal(),
            disposition,
            attempt(),
            message == null ? CauseWords.english(cause) : message,
            Instant.ofEpochMilli(times.finishedAt()),
            json);
  }

  /**
   * The times of an attempt.
   *
   * @param dueAt when the attempt could start at the earliest
   * @param generatedAt when the trigger was first written
   * @param claimedAt null if never claimed
   * @param startedAt by the worker's clock; null if it never started or the worker did not say
   * @param finishedAt when the end was recorded, by the tracker's clock
   */
  public record Times(
      long dueAt,
      long generatedAt,
      @Nullable Long claimedAt,
      @Nullable Long startedAt,
      long finishedAt) {}

  /**
   * Where the trigger came from.
   *
   * @param handler name of the runner
   * @param submissionId the client's id of the submit; null for a part, which none asked for
   * @param submittedBy node id of the client
   * @param traceParent of the trace that the job is part of; null if none
   * @param replayOf of a replay, the id of the ledger row of the dead trigger; otherwise null
   */
  public record Origin(
      @Nullable String handler,
      @Nullable String submissionId,
      @Nullable String submittedBy,
      @Nullable String traceParent,
      @Nullable Long replayOf) {

    static Origin of(TriggerSpec spec) {
      return new Origin(
          spec.handler(),
          spec.part() == null ? spec.submissionId() : null,
          spec.submittedBy(),
          spec.traceParent(),
          spec.replayOf());
    }
  }
}
