package io.millrace.jobtracker.domain.waiting;

/**
 * What of a waiting queue is due and waits for a worker.
 *
 * @param due how many triggers; as many as were counted at the most
 * @param oldestDueAt since when the first of them has been due, in epoch milliseconds; {@link
 *     Long#MAX_VALUE} if none is
 */
public record Backlog(long due, long oldestDueAt) {
  /** As many due triggers are counted; a backlog of this many may be larger. */
  public static final int MOST_COUNTED = 10_000;

  /** Nothing is due. */
  public static final Backlog NONE = new Backlog(0, Long.MAX_VALUE);

  /** For how long the first has been due, in milliseconds. */
  public long oldestAge(long now) {
    return oldestDueAt == Long.MAX_VALUE ? 0 : Math.max(0, now - oldestDueAt);
  }
}
