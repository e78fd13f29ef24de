package io.millrace.jobtracker.pipeline;

/**
 * Bounds the bytes that wait to be written, in all pipelines that share this object. Items have any
 * size, so a bound on their number alone does not bound memory. Thread-safe.
 */
public final class WaitingBytes {
  private final long most;
  private long taken;

  /**
   * Makes a bound of which nothing is used.
   *
   * @param most the highest number of bytes that may wait at a time; a single larger item is
   *     accepted if nothing else waits
   */
  public WaitingBytes(long most) {
    this.most = most;
  }

  /** Reserves the bytes of an item; returns whether there was room. */
  synchronized boolean take(long bytes) {
    if (taken > 0 && taken + bytes > most) {
      return false;
    }
    taken += bytes;
    return true;
  }

  /** Releases the bytes of items. */
  synchronized void giveBack(long bytes) {
    taken -= bytes;
  }

  long most() {
    return most;
  }
}
