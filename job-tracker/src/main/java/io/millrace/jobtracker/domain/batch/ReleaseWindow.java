package io.millrace.jobtracker.domain.batch;

/**
 * How many parts of a batch wait or run at a time. Few enough that a large batch hides no other
 * job, fits into memory and is cancelled in a moment; enough that no worker waits for the next.
 */
public final class ReleaseWindow {
  public static final int LEAST = 256;
  public static final int MOST = 1_000;
  private static final int PER_SLOT = 4;

  private ReleaseWindow() {}

  /**
   * The size of the window.
   *
   * @param slots of all workers of the node group
   */
  public static int size(int slots) {
    return (int) Math.max(LEAST, Math.min(MOST, (long) slots * PER_SLOT));
  }

  /** How many parts to release now: none until the window is less than half full. */
  public static int toRelease(PartCounts counts, int slots) {
    int size = size(slots);
    return 2 * counts.live() < size ? Math.min(size - counts.live(), counts.unreleased()) : 0;
  }
}
