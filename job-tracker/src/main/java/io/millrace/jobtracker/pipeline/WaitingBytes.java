package io.millrace.jobtracker.pipeline;

/**
 * How many bytes may wait to be written, over all pipelines that share it: items come in every
 * size, so a bound of their number alone bounds no memory. Thread-safe.
 */
public final class WaitingBytes {
  private final long most;
  private long taken;

  /**
   * @param most bytes that may wait at a time; a single item that is larger passes when nothing
   *     else waits
   */
  public WaitingBytes(long most) {
    this.most = most;
  }

  /** Takes room for an item; returns whether there was any. */
  synchronized boolean take(long bytes) {
    if (taken > 0 && taken + bytes > most) {
      return false;
    }
    taken += bytes;
    return true;
  }

  /** Gives the room of an item back. */
  synchronized void giveBack(long bytes) {
    taken -= bytes;
  }

  long most() {
    return most;
  }
}
