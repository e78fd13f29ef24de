package io.millrace.scripts.operate.file;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;

/** Sends many requests, a few at a time: each waits for the tracker's database most of its time. */
final class FewAtATime {
  /** Far below the connections that a tracker allows an address. */
  private static final int THREADS = 8;

  private FewAtATime() {}

  /** One request. */
  interface Request<T, R> {
    R send(T item) throws InterruptedException;
  }

  /**
   * Sends a request for each item and returns the results in the order of the items. If one fails,
   * the others are given up.
   *
   * @param done is told how many are done
   */
  static <T, R> List<R> send(List<T> items, Request<T, R> request, LongConsumer done)
      throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<R>> sent =
          items.stream().map(item -> threads.submit(() -> request.send(item))).toList();
      List<R> results = new ArrayList<>();
      for (Future<R> one : sent) {
        results.add(result(one));
        done.accept(results.size());
      }
      return results;
    } finally {
      List<Runnable> unused = threads.shutdownNow();
    }
  }

  private static <R> R result(Future<R> sent) throws InterruptedException {
    try {
      return sent.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException("a request failed", e.getCause());
    }
  }
}
