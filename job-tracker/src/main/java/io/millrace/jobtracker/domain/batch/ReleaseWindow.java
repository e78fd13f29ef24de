package io.millrace.jobtracker.domain.batch;

/**
 * How many parts of a batch wait or run at a time. Few enough that a large batch hides no other
 * job, fits into memory and is cancelled in a moment; enough that no worker waits for the next,
 * although parts are claimed and end many at a time.
 */
public final class ReleaseWindow {
  public static final int LEAST = 256;
  public static final int MOST = 1_000;

  /** The most parts that one transaction moves into a window: other transactions wait for it. */
  public static final int AT_ONCE = 128;

  /** The share of the window that is refilled together, so that each transaction moves many. */
  public static final int REFILLED_SHARE = 4;

  private static final int PER_SLOT = 8;

  private ReleaseWindow() {}

  /**
   * The size of the window.
   *
   * @param slots of all workers of the node group
   */
  public static int size(int slots) {
    return (int) Math.max(LEAST, Math.min(MOST, (long) slots * PER_SLOT));
  }

  /** How many parts to release now: none until more than a quarter of the window is free. */
  public static int toRelease(PartCounts counts, int slots) {
    int size = size(slots);
    int free = size - counts.live();
    return REFILLED_SHARE * free > size
        ? Math.min(AT_ONCE, Math.min(free, counts.unreleased()))
        : 0;
  }
}
