package io.millrace.jobtracker.domain.trigger;

import org.jspecify.annotations.Nullable;

/**
 * What a part belongs to.
 *
 * @param batchId the batch
 * @param taskId of the run that was split, by which handlers know their job
 * @param shards how many shards its run was split into; null if it is no shard
 * @param reduces whether it runs after all others and may read what they returned
 * @param place of a replay, the number of the part in whose place it runs; null if it is no replay
 */
public record PartOf(
    long batchId,
    String taskId,
    @Nullable Integer shards,
    boolean reduces,
    @Nullable Integer place) {

  /** What a part belongs to that is no replay. */
  public PartOf(long batchId, String taskId, @Nullable Integer shards, boolean reduces) {
    this(batchId, taskId, shards, reduces, null);
  }

  /** The number by which the handler knows a part: a replay has that of the dead part. */
  public int placeOf(TriggerKey part) {
    return place == null ? part.ordinal() : place;
  }

  /** The same for the replay of a part in this place. */
  public PartOf inPlaceOf(int number) {
    return new PartOf(batchId, taskId, shards, reduces, number);
  }
}
