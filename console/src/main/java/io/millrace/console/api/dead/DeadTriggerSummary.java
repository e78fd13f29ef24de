package io.millrace.console.api.dead;

import io.millrace.jobtracker.domain.outcome.CauseWords;
import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Replay;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Settlement;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A trigger that ended DEAD.
 *
 * @param id of its last execution
 * @param plannedFor the instant it was planned for
 * @param ordinal 0 for a scheduled trigger, otherwise the number of an extra run
 * @param recurring whether it belongs to a recurring job; otherwise it was a one-shot
 * @param attempts number of attempts
 * @param cause why no further attempt followed
 * @param message the first line of what the last attempt said, cut; null if it said nothing
 * @param settledAt when it was replayed or discarded; null while open
 * @param settledBy who replayed or discarded it; null while open
 * @param replayId id of the trigger that replays it: of its first waiting row, and for a one-shot
 *     also of its job; null if there is no replay
 * @param replayOrdinal ordinal of the extra run that replays it; null without a replay, or for a
 *     one-shot
 * @param replayOf id of the dead trigger that this one replayed; null if it was no replay
 * @param parts into how many parts its run was split; null if it was not
 */
public record DeadTriggerSummary(
    String id,
    String nodeGroup,
    String taskId,
    Instant plannedFor,
    int ordinal,
    boolean recurring,
    int attempts,
    Instant diedAt,
    @Nullable String cause,
    @Nullable String message,
    DeadState state,
    @Nullable Instant settledAt,
    @Nullable String settledBy,
    @Nullable String replayId,
    @Nullable Integer replayOrdinal,
    @Nullable String replayOf,
    @Nullable Integer parts) {

  static DeadTriggerSummary of(DeadTrigger dead, FirstLines messages, Locale language) {
    Settlement settlement = dead.settlement();
    Replay replay = dead.replay();
    Long replayOf = dead.replayOf();
    return new DeadTriggerSummary(
        String.valueOf(dead.id()),
        dead.nodeGroup(),
        dead.key().taskId(),
        Instant.ofEpochMilli(dead.plannedFor()),
        dead.key().ordinal(),
        dead.isOfRecurringJob(),
        dead.attempt(),
        Instant.ofEpochMilli(dead.diedAt()),
        CauseWords.say(dead.cause(), language),
        messages.of(dead),
        dead.state(),
        settlement == null ? null : Instant.ofEpochMilli(settlement.at()),
        settlement == null ? null : settlement.by(),
        replay == null ? null : String.valueOf(replay.id()),
        replay == null || !dead.isOfRecurringJob() ? null : (Integer) replay.ordinal(),
        replayOf == null ? null : String.valueOf(replayOf),
        dead.parts());
  }
}
