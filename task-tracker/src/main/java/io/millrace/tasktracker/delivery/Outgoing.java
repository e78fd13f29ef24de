package io.millrace.tasktracker.delivery;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The source and the transport of the items that a {@link BatchSender} sends. Called on the loop.
 *
 * @param <T> one item
 * @param <R> the answer to a batch
 */
public interface Outgoing<T, R> {

  /** Removes and returns the next items, oldest first; an empty list if no item waits. */
  List<T> nextBatch();

  /** Sends a batch. Sending a batch again must be safe. */
  CompletableFuture<R> send(List<T> batch);

  /**
   * Applies the tracker's answer to a batch.
   *
   * @return how many items, counted from the first, need not be sent again
   */
  int answered(List<T> batch, R answer);

  /** Reports an item that the tracker never accepts. It is not sent again. */
  void refused(T item, Throwable reason);
}
