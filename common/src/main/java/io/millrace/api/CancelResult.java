package io.millrace.api;

/**
 * The answer to a cancel.
 *
 * @param found whether a live job with this key existed
 * @param cancelledTriggers number of waiting triggers that will not run
 * @param running number of running executions that were asked to stop; if one succeeds it still
 *     counts, and no further attempt follows
 * @param savedLocally whether the client keeps the cancel in its outbox because no tracker has
 *     answered yet; the other components then have no meaning. Trackers never set it
 */
public record CancelResult(
    boolean found, int cancelledTriggers, int running, boolean savedLocally) {

  /** Makes the answer of a tracker. */
  public CancelResult(boolean found, int cancelledTriggers, int running) {
    this(found, cancelledTriggers, running, false);
  }

  /** Makes the answer for a cancel that is in the client's outbox. */
  public static CancelResult keptInOutbox() {
    return new CancelResult(false, 0, 0, true);
  }
}
