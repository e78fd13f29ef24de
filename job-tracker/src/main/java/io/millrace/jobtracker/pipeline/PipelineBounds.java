package io.millrace.jobtracker.pipeline;

import java.util.function.ToLongFunction;

/**
 * The bounds of a pipeline.
 *
 * @param maxBatch the highest number of items in one commit
 * @param maxBatchBytes the highest number of bytes in one commit; a larger item is committed alone
 * @param maxWaiting the highest number of waiting items; further items are rejected
 * @param waitingBytes the bound on waiting bytes, shared with other pipelines
 * @param weight returns the bytes of an item
 * @param <T> the type of an item
 */
public record PipelineBounds<T>(
    int maxBatch,
    long maxBatchBytes,
    int maxWaiting,
    WaitingBytes waitingBytes,
    ToLongFunction<T> weight) {}
