package io.millrace.jobtracker.domain.waiting;

/**
 * The due triggers of a waiting queue that wait for a worker.
 *
 * @param due number of due triggers, up to the limit of the count
 * @param oldestDueAt when the first of them fell due, in epoch milliseconds; {@link Long#MAX_VALUE}
 *     if there is none
 */
public record Backlog(long due, long oldestDueAt) {
  /** The most due triggers that are counted; a backlog of this size may be larger. */
  public static final int MOST_COUNTED = 10_000;

  /** Nothing is due. */
  public static final Backlog NONE = new Backlog(0, Long.MAX_VALUE);

  /** For how long the first trigger has been due, in milliseconds; 0 if there is none. */
  public long oldestAge(long now) {
    return oldestDueAt == Long.MAX_VALUE ? 0 : Math.max(0, now - oldestDueAt);
  }
}
