package io.millrace.tasktracker.delivery;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What a {@link BatchSender} sends. Called on the loop.
 *
 * @param <T> one item
 * @param <R> the answer to a batch
 */
public interface Outgoing<T, R> {

  /** Removes and returns the next items, oldest first; none if nothing waits. */
  List<T> nextBatch();

  /** Sends a batch. Sending one again must be harmless. */
  CompletableFuture<R> send(List<T> batch);

  /**
   * The tracker has answered a batch.
   *
   * @return how many items, counted from the first, need not be sent again
   */
  int answered(List<T> batch, R answer);

  /** The tracker will never take this item, which is not sent again. */
  void refused(T item, Throwable reason);
}
