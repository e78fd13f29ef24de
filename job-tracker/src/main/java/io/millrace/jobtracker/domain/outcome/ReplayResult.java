package io.millrace.jobtracker.domain.outcome;

import io.millrace.jobtracker.domain.trigger.TriggerKey;
import org.jspecify.annotations.Nullable;

/**
 * The result of a request to replay a dead trigger.
 *
 * @param status the result in short
 * @param replayId first waiting row of the replay, which was written now or before; null if there
 *     is no replay
 * @param key identity of the replay that was written now; null otherwise
 * @param message why it was not replayed, or what happens next
 */
public record ReplayResult(
    Status status, @Nullable Long replayId, @Nullable TriggerKey key, String message) {

  /** The possible results. */
  public enum Status {
    /** A new trigger waits. */
    REPLAYED,
    /** It was replayed before. */
    REPLAYED_BEFORE,
    /** No dead trigger of this id is known. */
    NOT_FOUND,
    /** The present state of its job does not allow the replay. */
    REFUSED,
    /** The parameters are not allowed. */
    BAD_PARAMS
  }

  /** Creates the result of a request that writes nothing. */
  public static ReplayResult not(Status status, String message) {
    return new ReplayResult(status, null, null, message);
  }
}
