package io.millrace.tasktracker;

/**
 * Which part of a run an invocation does. A run that is not split has one part.
 *
 * @param index from 0
 * @param count how many parts the run has
 */
public record Shard(int index, int count) {
  /** The only part of a run that is not split. */
  public static final Shard WHOLE = new Shard(0, 1);

  public Shard {
    if (index < 0 || index >= count) {
      throw new IllegalArgumentException("there is no shard " + index + " of " + count);
    }
  }

  /**
   * Whether this part does what has this hash: of all parts of a run, exactly one does. For numbers
   * that are evenly spread, such as ids.
   */
  public boolean takes(long hash) {
    return Math.floorMod(hash, (long) count) == index;
  }
}
