package io.millrace.jobtracker.domain.outcome;

import io.millrace.jobtracker.domain.trigger.TriggerKey;
import org.jspecify.annotations.Nullable;

/**
 * What became of a request to replay a dead trigger.
 *
 * @param status in short
 * @param replayId first waiting row of the replay, which was written now or before; null if there
 *     is none
 * @param key identity of the replay that was written now; null otherwise
 * @param message why not, or what happens next
 */
public record ReplayResult(
    Status status, @Nullable Long replayId, @Nullable TriggerKey key, String message) {

  /** Whether it was replayed. */
  public enum Status {
    /** A new trigger waits. */
    REPLAYED,
    /** It was replayed before. */
    REPLAYED_BEFORE,
    /** No dead trigger of this id is known. */
    NOT_FOUND,
    /** Its job does not allow it as it is now. */
    REFUSED,
    /** The parameters are not allowed. */
    BAD_PARAMS
  }

  /** One that writes nothing. */
  public static ReplayResult not(Status status, String message) {
    return new ReplayResult(status, null, null, message);
  }
}
