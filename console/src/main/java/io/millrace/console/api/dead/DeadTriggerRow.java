package io.millrace.console.api.dead;

import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Replay;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Settlement;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A trigger that ended DEAD.
 *
 * @param id of its last execution
 * @param plannedFor the instant it was meant for
 * @param ordinal 0 for what was scheduled, otherwise the number of an extra run
 * @param recurring whether it is of a recurring job; otherwise it was a one-shot
 * @param attempts how many there were
 * @param cause why there was no further one
 * @param settledAt when it was replayed or discarded
 * @param settledBy who did that
 * @param replayId the trigger that was written in its place: its first waiting row, and of a
 *     one-shot also its job
 * @param replayOrdinal number of that extra run, of a recurring job
 * @param replayOf the dead trigger that it was itself to replay
 */
public record DeadTriggerRow(
    String id,
    String nodeGroup,
    String taskId,
    Instant plannedFor,
    int ordinal,
    boolean recurring,
    int attempts,
    Instant diedAt,
    @Nullable String cause,
    DeadState state,
    @Nullable Instant settledAt,
    @Nullable String settledBy,
    @Nullable String replayId,
    @Nullable Integer replayOrdinal,
    @Nullable String replayOf) {

  static DeadTriggerRow of(DeadTrigger dead) {
    Settlement settlement = dead.settlement();
    Replay replay = dead.replay();
    Long replayOf = dead.replayOf();
    return new DeadTriggerRow(
        String.valueOf(dead.id()),
        dead.nodeGroup(),
        dead.key().taskId(),
        Instant.ofEpochMilli(dead.plannedFor()),
        dead.key().ordinal(),
        dead.isOfRecurringJob(),
        dead.attempt(),
        Instant.ofEpochMilli(dead.diedAt()),
        dead.cause(),
        dead.state(),
        settlement == null ? null : Instant.ofEpochMilli(settlement.at()),
        settlement == null ? null : settlement.by(),
        replay == null ? null : String.valueOf(replay.id()),
        replay == null || !dead.isOfRecurringJob() ? null : (Integer) replay.ordinal(),
        replayOf == null ? null : String.valueOf(replayOf));
  }
}
