package io.millrace.jobtracker.domain.batch;

/**
 * How many parts a batch has and how far they are. Immutable.
 *
 * @param total parts in all, and the number of the last one
 * @param released parts up to this number were moved into waiting, or will never be
 * @param ended those that ended
 * @param replaced those of the dead ones in whose place a replay came, which is a part of its own
 */
public record PartCounts(int total, int released, PartEnds ended, int replaced) {

  public PartCounts {
    if (released < 0 || released > total) {
      throw new IllegalArgumentException(released + " of " + total + " parts cannot be released");
    }
    if (ended.total() > released) {
      throw new IllegalArgumentException(
          ended.total() + " parts cannot have ended of " + released + " that were released");
    }
    if (replaced < 0 || replaced > ended.dead()) {
      throw new IllegalArgumentException(
          replaced + " of " + ended.dead() + " dead parts cannot be replaced");
    }
  }

  /** The counts of a batch of which no part is released. */
  public static PartCounts of(int total) {
    return new PartCounts(total, 0, PartEnds.NONE, 0);
  }

  /** Parts that wait or run, retries included. */
  public int live() {
    return released - ended.total();
  }

  /** Parts that were not released yet. */
  public int unreleased() {
    return total - released;
  }

  /** Whether no part is left: the batch can end, or its reduce can run. */
  public boolean isAllEnded() {
    return ended.total() == total;
  }

  /** Failed, dead and cancelled parts in whose place nothing came. */
  public int failures() {
    return ended.failed() + ended.dead() + ended.cancelled() - replaced;
  }

  /** Dead parts in whose place nothing came. */
  public int standingDead() {
    return ended.dead() - replaced;
  }

  /** The counts with so many parts more. */
  public PartCounts adding(int parts) {
    return new PartCounts(total + parts, released, ended, replaced);
  }

  /** The counts after so many further parts were moved into waiting. */
  public PartCounts releasing(int parts) {
    return new PartCounts(total, released + parts, ended, replaced);
  }

  /** The counts after parts ended. */
  public PartCounts ending(PartEnds ends) {
    return new PartCounts(total, released, ended.plus(ends), replaced);
  }

  /** The counts after a dead part was replayed as the next part, to be released in its turn. */
  public PartCounts replaying() {
    return new PartCounts(total + 1, released, ended, replaced + 1);
  }

  /**
   * The counts after a stop: what waited was deleted, and what was not released never will be.
   *
   * @param withdrawn parts that waited
   */
  public PartCounts stopping(int withdrawn) {
    PartEnds cancelled = PartEnds.cancelled(withdrawn + unreleased());
    return new PartCounts(total, total, ended.plus(cancelled), replaced);
  }
}
