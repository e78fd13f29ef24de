package io.millrace.common.model;

/**
 * The answer to a cancel.
 *
 * @param found whether a living job of the key existed
 * @param cancelledTriggers waiting triggers that will not run
 * @param running executions under way that were told to stop; a success of theirs still counts, no
 *     further attempt follows
 * @param savedLocally whether no tracker has answered, and the client keeps the cancel in its
 *     outbox until one does; the other components then say nothing. Trackers never say so
 */
public record CancelResult(
    boolean found, int cancelledTriggers, int running, boolean savedLocally) {

  /** The answer of a tracker. */
  public CancelResult(boolean found, int cancelledTriggers, int running) {
    this(found, cancelledTriggers, running, false);
  }

  /** The cancel is in the client's outbox. */
  public static CancelResult keptInOutbox() {
    return new CancelResult(false, 0, 0, true);
  }
}
