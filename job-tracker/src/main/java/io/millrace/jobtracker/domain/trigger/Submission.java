package io.millrace.jobtracker.domain.trigger;

import org.jspecify.annotations.Nullable;

/**
 * A request that asked for a run.
 *
 * @param id the client's id of the request, by which a resend is known
 * @param by node id of the client
 * @param replayOf the dead trigger, by its row in the ledger, if the request was to replay one
 */
public record Submission(String id, String by, @Nullable Long replayOf) {

  /** A request that is no replay. */
  public Submission(String id, String by) {
    this(id, by, null);
  }

  /** The replay of a dead trigger, which bears the same id however often it is asked for. */
  public static Submission replay(long deadId, String by) {
    return new Submission("replay-of-" + deadId, by, deadId);
  }
}
