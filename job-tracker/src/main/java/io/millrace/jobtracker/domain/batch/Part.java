package io.millrace.jobtracker.domain.batch;

import io.millrace.internal.protocol.KeepRequest;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import org.jspecify.annotations.Nullable;

/**
 * A part whose parameters or result are stored apart from its trigger: a row of {@code jt_part}.
 * Not a trigger: until its batch is open and it is released, nothing runs it.
 *
 * @param key its batch and number
 * @param state how it ended, if that is noted here
 * @param handler name of its runner; null means that of the run
 * @param params its own parameters
 * @param result what it returned, as JSON; null if nothing, or if nothing will read it
 * @param replayOf the number of the dead part in whose place it is; null if it is no replay
 * @param deadId the dead trigger that it replays; null if it is no replay
 */
public record Part(
    PartKey key,
    PartState state,
    @Nullable String handler,
    StoredParams params,
    @Nullable String result,
    @Nullable Integer replayOf,
    @Nullable Long deadId) {

  /** A part that has not ended, with the runner of its run. */
  public static Part of(PartKey key, StoredParams params) {
    return of(key, null, params);
  }

  /** A part that has not ended. */
  public static Part of(PartKey key, @Nullable String handler, StoredParams params) {
    return new Part(key, PartState.NOT_ENDED, handler, params, null, null, null);
  }

  /**
   * The replay of a dead part, with the runner of the dead one.
   *
   * @param place the number of the part in whose place it is
   */
  public static Part replay(
      PartKey key, @Nullable String handler, StoredParams params, int place, long deadId) {
    return new Part(key, PartState.NOT_ENDED, handler, params, null, place, deadId);
  }

  /** How many bytes its parameters and its result have, in UTF-8. */
  public long bytes() {
    return (long) params.bytes() + KeepRequest.bytesOf(result);
  }

  /** A part that has ended, as it is noted: its parameters stay as they are stored. */
  public static Part ended(PartKey key, PartState state, @Nullable String result) {
    return new Part(key, state, null, StoredParams.NONE, result, null, null);
  }
}
