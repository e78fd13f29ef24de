package io.millrace.jobtracker.domain.batch;

/**
 * The batches under way of a node group, as its owner saw them last. Immutable.
 *
 * @param open how many there are
 * @param ended parts of them that have ended
 * @param failed those of the ended ones that failed, are dead or were cancelled
 * @param live parts of them that wait or run
 * @param toFollow parts of them that are not released yet
 * @param oldestAge for how long the first of them had been under way, in milliseconds; 0 if there
 *     is none
 */
public record BatchStats(
    int open, long ended, long failed, long live, long toFollow, long oldestAge) {
  public static final BatchStats NONE = new BatchStats(0, 0, 0, 0, 0, 0);
}
