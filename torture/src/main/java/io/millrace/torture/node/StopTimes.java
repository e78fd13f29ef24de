package io.millrace.torture.node;

/** How long a node takes to end when it is asked to, as far as is known. Not thread-safe. */
public final class StopTimes {
  private long lastMillis;

  /**
   * @param guessMillis what holds before the first stop
   */
  public StopTimes(long guessMillis) {
    this.lastMillis = guessMillis;
  }

  /** It was asked to end at this instant of the machine's monotonic clock, and just has. */
  public void ended(long askedNanos) {
    lastMillis = Math.max(1, (System.nanoTime() - askedNanos) / 1_000_000);
  }

  /** How long after it was asked to end this part of its last stop had gone by. */
  public long until(double part) {
    return Math.round(lastMillis * part);
  }
}
