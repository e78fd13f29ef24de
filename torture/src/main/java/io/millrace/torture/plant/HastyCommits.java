package io.millrace.torture.plant;

import io.millrace.jobtracker.store.CommitListener;
import io.millrace.jobtracker.store.Transactions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** Transactions that return the result of a submit before the commit. */
final class HastyCommits implements Transactions {
  private static final String SUBMIT = "submit to ";
  private static final Duration HASTE = Duration.ofMillis(500);

  private final Transactions sound;
  private final Executor threads;

  HastyCommits(Transactions sound, Executor threads) {
    this.sound = sound;
    this.threads = threads;
  }

  @Override
  public int submitsAtATime() {
    return sound.submitsAtATime();
  }

  @Override
  public <T> T inTransaction(String name, Supplier<T> work) {
    if (!name.startsWith(SUBMIT)) {
      return sound.inTransaction(name, work);
    }
    CompletableFuture<T> early = new CompletableFuture<>();
    threads.execute(() -> commitLate(name, work, early));
    try {
      return early.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    }
  }

  @Override
  public Runnable listen(CommitListener listener) {
    return sound.listen(listener);
  }

  private <T> void commitLate(String name, Supplier<T> work, CompletableFuture<T> early) {
    try {
      sound.run(
          name,
          () -> {
            boolean unused = early.complete(work.get());
            pause();
          });
    } catch (RuntimeException e) {
      boolean unused = early.completeExceptionally(e);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(HASTE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
