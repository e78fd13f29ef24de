package io.millrace.console.api;

import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A trigger that waits: no worker holds it.
 *
 * @param id of its row; a trigger that waits again gets a new row with a new id
 * @param plannedFor the instant it is planned for, the same over all attempts
 * @param ordinal 0 for a scheduled trigger, otherwise the number of an extra run
 * @param dueAt when its next attempt may start; null while it is held
 * @param attempt number of its next attempt, from 1
 * @param begun whether a worker has claimed it, or it was released from the queue, before
 * @param generatedAt when the trigger was first written
 * @param jobVersion version of the definition it was generated from; 0 for a one-shot
 * @param handler of a one-shot; null otherwise, as the job defines it
 * @param submittedBy of a one-shot or an extra run; null otherwise, as the job defines it
 */
public record TriggerSummary(
    String id,
    String taskId,
    Kind kind,
    Condition state,
    Instant plannedFor,
    int ordinal,
    @Nullable Instant dueAt,
    int priority,
    int attempt,
    boolean begun,
    Instant generatedAt,
    int jobVersion,
    @Nullable String handler,
    @Nullable String submittedBy) {

  /** The origin of a trigger. */
  public enum Kind {
    ONE_SHOT,
    SCHEDULED,
    EXTRA,
    /** A part of a run that was split. */
    PART;

    public static Kind of(TriggerKey key, boolean recurring) {
      if (!recurring) {
        return key.isExtra() ? PART : ONE_SHOT;
      }
      return key.isExtra() ? EXTRA : SCHEDULED;
    }
  }

  /** What a trigger waits for. */
  public enum Condition {
    /** For its due time. */
    WAITING,
    /** For a worker: it is due. */
    DUE,
    /** For its turn: another trigger of its job is running. */
    HELD
  }

  public static TriggerSummary of(WaitingTrigger row, long now) {
    return new TriggerSummary(
        String.valueOf(row.id()),
        row.key().taskId(),
        Kind.of(row.key(), row.isOfRecurringJob()),
        condition(row, now),
        Instant.ofEpochMilli(row.plannedFor()),
        row.key().ordinal(),
        row.isHeld() ? null : Instant.ofEpochMilli(row.dueAt()),
        row.priority(),
        row.attempt(),
        row.begun(),
        Instant.ofEpochMilli(row.generatedAt()),
        row.jobVersion(),
        row.spec() == null ? null : row.spec().handler(),
        submittedBy(row));
  }

  private static Condition condition(WaitingTrigger row, long now) {
    if (row.isHeld()) {
      return Condition.HELD;
    }
    return row.dueAt() <= now ? Condition.DUE : Condition.WAITING;
  }

  private static @Nullable String submittedBy(WaitingTrigger row) {
    if (row.submission() != null) {
      return row.submission().by();
    }
    return row.spec() == null ? null : row.spec().submittedBy();
  }
}
