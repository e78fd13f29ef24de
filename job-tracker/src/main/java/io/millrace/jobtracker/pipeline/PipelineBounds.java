package io.millrace.jobtracker.pipeline;

import java.util.function.ToLongFunction;

/**
 * How much goes through a pipeline at a time.
 *
 * @param maxBatch items in one commit
 * @param maxBatchBytes bytes in one commit; a larger item goes alone
 * @param maxWaiting items that may wait; more are refused
 * @param waitingBytes bytes that may wait, shared with other pipelines
 * @param weight bytes of an item
 * @param <T> what is written
 */
public record PipelineBounds<T>(
    int maxBatch,
    long maxBatchBytes,
    int maxWaiting,
    WaitingBytes waitingBytes,
    ToLongFunction<T> weight) {

  /** Bounds for items that are all small. */
  public static <T> PipelineBounds<T> ofCount(int maxBatch, int maxWaiting) {
    return new PipelineBounds<>(
        maxBatch, Long.MAX_VALUE, maxWaiting, new WaitingBytes(Long.MAX_VALUE), item -> 0);
  }
}
