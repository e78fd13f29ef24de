package io.millrace.jobtracker.pipeline;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The bounds of a pipeline.
 *
 * @param maxBatch the highest number of items in one commit
 * @param maxBatchBytes the highest number of bytes in one commit; a larger item is committed alone
 * @param maxWaiting the highest number of waiting items; further items are rejected
 * @param waitingBytes the bound on waiting bytes, shared with other pipelines
 * @param weight returns the bytes of an item
 * @param parallel which commits may be under way at the same time
 * @param <T> the type of an item
 */
public record PipelineBounds<T>(
    int maxBatch,
    long maxBatchBytes,
    int maxWaiting,
    WaitingBytes waitingBytes,
    ToLongFunction<T> weight,
    Parallel<T> parallel) {

  /** Bounds with one commit at a time. */
  public PipelineBounds(
      int maxBatch,
      long maxBatchBytes,
      int maxWaiting,
      WaitingBytes waitingBytes,
      ToLongFunction<T> weight) {
    this(maxBatch, maxBatchBytes, maxWaiting, waitingBytes, weight, Parallel.none());
  }

  /**
   * The commits that may be under way at the same time.
   *
   * @param commits their highest number
   * @param keys returns what an item must not share with an item of another commit under way; items
   *     that share a key are committed in their order
   * @param <T> the type of an item
   */
  public record Parallel<T>(int commits, Function<T, List<String>> keys) {

    /** One commit after the other. */
    static <T> Parallel<T> none() {
      return new Parallel<>(1, item -> List.of());
    }
  }
}
