package io.millrace.torture.node;

/** How long the stop of a node takes, as far as known. Not thread-safe. */
public final class StopTimes {
  private long lastMillis;

  /**
   * @param guessMillis the estimate before the first stop
   */
  public StopTimes(long guessMillis) {
    this.lastMillis = guessMillis;
  }

  /**
   * Records that the node ended just now, after it was asked to at this instant of the monotonic
   * clock.
   */
  public void ended(long askedNanos) {
    lastMillis = Math.max(1, (System.nanoTime() - askedNanos) / 1_000_000);
  }

  /**
   * Returns the time after the request to end at which this fraction of the last stop had elapsed.
   */
  public long until(double part) {
    return Math.round(lastMillis * part);
  }
}
