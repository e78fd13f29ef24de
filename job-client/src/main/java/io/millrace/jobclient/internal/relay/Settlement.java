package io.millrace.jobclient.internal.relay;

import org.jspecify.annotations.Nullable;

/**
 * What becomes of a row.
 *
 * @param action what to do with the row
 * @param answer the tracker's answer, or why the row is set aside, in capitals; null if the row
 *     stays
 * @param message what was wrong, for people; null if nothing was
 */
record Settlement(
    EnqueuedRow row, Action action, @Nullable String answer, @Nullable String message) {

  /** What to do with a row. */
  enum Action {
    /** It was answered. */
    DELETE,
    /** It goes into the table of rejected rows. */
    SET_ASIDE,
    /** It is sent again later; it may have been carried out. */
    STAYS,
    /** It is sent again later. It was sent for the first time, and was not carried out. */
    NEVER_SENT
  }

  static Settlement answered(EnqueuedRow row, String answer) {
    return new Settlement(row, Action.DELETE, answer, null);
  }

  static Settlement setAside(EnqueuedRow row, String why, @Nullable String message) {
    return new Settlement(row, Action.SET_ASIDE, why, message);
  }

  static Settlement stays(EnqueuedRow row, @Nullable String why) {
    return new Settlement(row, Action.STAYS, null, why);
  }

  /**
   * The same, after the lease may have ended: another relay may have sent the row meanwhile, so the
   * record that it was sent stays.
   */
  Settlement perhapsSent() {
    return action == Action.NEVER_SENT ? stays(row, message) : this;
  }

  /** The row stays, and was not carried out by the attempt that is under way. */
  static Settlement notSent(EnqueuedRow row, @Nullable String why) {
    return new Settlement(
        row, row.firstSentAt() == null ? Action.NEVER_SENT : Action.STAYS, null, why);
  }
}
