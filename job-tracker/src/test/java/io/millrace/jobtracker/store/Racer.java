package io.millrace.jobtracker.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs things at the same time, and bounds every wait for them. */
public final class Racer implements AutoCloseable {
  private static final long SECONDS = 30;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  public <T> Future<T> start(Callable<T> work) {
    return threads.submit(work);
  }

  /** Starts all at one instant and returns what they return. */
  public <T> List<T> together(List<Callable<T>> works) {
    CountDownLatch ready = new CountDownLatch(works.size());
    List<Future<T>> futures = new ArrayList<>();
    for (Callable<T> work : works) {
      futures.add(
          start(
              () -> {
                ready.countDown();
                waitFor(ready);
                return work.call();
              }));
    }
    return futures.stream().map(Racer::resultOf).toList();
  }

  /** The result; the work's own exception comes out as it is. */
  public static <T> T resultOf(Future<T> future) {
    try {
      return future.get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException runtime) {
        throw runtime;
      }
      throw new AssertionError(e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  public static void waitFor(CountDownLatch latch) {
    try {
      if (!latch.await(SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("waited " + SECONDS + " s in vain");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
