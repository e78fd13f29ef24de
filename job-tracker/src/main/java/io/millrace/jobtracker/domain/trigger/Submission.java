package io.millrace.jobtracker.domain.trigger;

import org.jspecify.annotations.Nullable;

/**
 * A request that asked for a run.
 *
 * @param id the client's id of the request, which identifies a resend
 * @param by node id of the client
 * @param replayOf the dead trigger, by its row in the ledger, if the request is a replay; otherwise
 *     null
 */
public record Submission(String id, String by, @Nullable Long replayOf) {

  /** Creates a request that is no replay. */
  public Submission(String id, String by) {
    this(id, by, null);
  }

  /** Creates the replay of a dead trigger, which has the same id however often it is requested. */
  public static Submission replay(long deadId, String by) {
    return new Submission("replay-of-" + deadId, by, deadId);
  }
}
