package io.millrace.jobtracker.domain.trigger;

import org.jspecify.annotations.Nullable;

/**
 * What a part belongs to.
 *
 * @param batchId the batch
 * @param taskId of the run that was split, by which handlers know their job
 * @param shards how many shards its run was split into, or for how many workers it is; null if it
 *     is neither a shard nor for one worker
 * @param reduces whether it runs after all others and may read what they returned
 * @param boundTo the worker that alone may run it; null if others may as well
 * @param place of a replay, the number of the part in whose place it runs; null if it is no replay
 */
public record PartOf(
    long batchId,
    String taskId,
    @Nullable Integer shards,
    boolean reduces,
    @Nullable BoundTo boundTo,
    @Nullable Integer place) {

  /** What a part belongs to that any worker may run, and that is no replay. */
  public PartOf(long batchId, String taskId, @Nullable Integer shards, boolean reduces) {
    this(batchId, taskId, shards, reduces, null, null);
  }

  /** The number by which the handler knows a part: a replay has that of the dead part. */
  public int placeOf(TriggerKey part) {
    return place == null ? part.ordinal() : place;
  }

  /** The same for the replay of a part in this place. */
  public PartOf inPlaceOf(int number) {
    return new PartOf(batchId, taskId, shards, reduces, boundTo, number);
  }
}
