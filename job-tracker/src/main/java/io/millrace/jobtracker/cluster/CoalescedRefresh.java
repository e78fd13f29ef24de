package io.millrace.jobtracker.cluster;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A refresh that many callers may request at the same moment: all of them share one that has not
 * begun yet. Thread-safe.
 */
final class CoalescedRefresh {
  private final Executor executor;
  private final Runnable refresh;
  private final AtomicReference<CompletableFuture<Void>> next = new AtomicReference<>();

  CoalescedRefresh(Executor executor, Runnable refresh) {
    this.executor = executor;
    this.refresh = refresh;
  }

  /** Completes after a refresh that begins after this call, exceptionally if it failed. */
  CompletableFuture<Void> soon() {
    CompletableFuture<Void> mine = new CompletableFuture<>();
    CompletableFuture<Void> queued = next.compareAndExchange(null, mine);
    if (queued != null) {
      return queued.copy();
    }
    try {
      executor.execute(() -> run(mine));
    } catch (RuntimeException refused) {
      next.set(null);
      mine.completeExceptionally(refused);
    }
    return mine.copy();
  }

  private void run(CompletableFuture<Void> mine) {
    next.set(null);
    try {
      refresh.run();
      mine.complete(null);
    } catch (Throwable e) {
      mine.completeExceptionally(e);
    }
  }
}
