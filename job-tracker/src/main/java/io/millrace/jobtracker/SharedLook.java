package io.millrace.jobtracker;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A look that many may ask for at the same moment: one that has not begun yet serves all of them.
 * Thread-safe.
 */
final class SharedLook {
  private final Executor executor;
  private final Runnable look;
  private final AtomicReference<CompletableFuture<Void>> next = new AtomicReference<>();

  SharedLook(Executor executor, Runnable look) {
    this.executor = executor;
    this.look = look;
  }

  /** Completes after a look that begins after this call, exceptionally if it failed. */
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
      look.run();
      mine.complete(null);
    } catch (Throwable e) {
      mine.completeExceptionally(e);
    }
  }
}
