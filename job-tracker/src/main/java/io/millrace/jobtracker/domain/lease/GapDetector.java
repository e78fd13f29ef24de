package io.millrace.jobtracker.domain.lease;

/**
 * Since when this tracker has looked after the workers of a node group without a gap. The silence
 * of a worker says something only if the tracker could have heard it: a tracker that stood still,
 * or has just begun to serve the group, or could not be reached, does not know its workers. Times
 * are in milliseconds of a monotonic clock. Thread-safe.
 */
public final class GapDetector {
  private final long longestGap;
  private long since;
  private long lastLook;

  /**
   * @param longestGap how much time may pass between two looks
   */
  public GapDetector(long longestGap, long now) {
    this.longestGap = longestGap;
    this.since = now;
    this.lastLook = now;
  }

  /**
   * The regular look. Returns whether it is in time; if it is late, the time without a gap begins
   * anew.
   */
  public synchronized boolean look(long now) {
    boolean isInTime = !isLate(now);
    if (!isInTime) {
      since = now;
    }
    lastLook = now;
    return isInTime;
  }

  /** Since when there has been no gap: if the next look is late already, since now. */
  public synchronized long since(long now) {
    return isLate(now) ? now : since;
  }

  private boolean isLate(long now) {
    return now - lastLook > longestGap;
  }
}
