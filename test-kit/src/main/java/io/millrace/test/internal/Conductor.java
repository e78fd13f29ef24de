package io.millrace.test.internal;

import io.millrace.internal.lifecycle.NamedThreads;
import io.millrace.internal.time.Clock;
import io.millrace.internal.time.SystemClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs everything of a test in one order. The tasks of the tracker, the workers, the clients and
 * the network run on one thread, the engine's; listeners of the application run on another one;
 * handlers wait until the thread of the test takes them. The answer to a client is delivered when
 * nothing else is left to do, so that a call of the client returns after all its consequences at
 * this instant. Time passes only while a thread waits in {@link #settle}. Thread-safe.
 */
public final class Conductor implements Executor, AutoCloseable {
  /** How long one task may take before the test fails instead of waiting on. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** How long a thread may wait for what only the passing of time can bring. */
  private static final Duration STALL = Duration.ofSeconds(10);

  private final Duration stallAfter;
  private final Clock realTime = new SystemClock();
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final Deque<Runnable> answers = new ArrayDeque<>();
  private final Deque<Runnable> handlers = new ArrayDeque<>();
  private final Deque<Runnable> listeners = new ArrayDeque<>();
  private final List<Thread> threads = new ArrayList<>();
  private boolean listening;
  private boolean idle;
  private boolean closed;
  private long begun;
  private @Nullable Passage passage;
  private @Nullable Thread driver;
  private @Nullable Throwable failure;
  private Runnable onStall = () -> {};

  public Conductor() {
    this(STALL);
  }

  Conductor(Duration stallAfter) {
    this.stallAfter = stallAfter;
    NamedThreads named = NamedThreads.daemon("millrace-test");
    threads.add(named.newThread(this::runTasks));
    threads.add(named.newThread(this::runListeners));
    threads.forEach(Thread::start);
  }

  /**
   * Runs a task on the engine's thread. What the last tasks add after {@link #close} is dropped.
   *
   * @throws RejectedExecutionException if closed
   */
  @Override
  public void execute(Runnable task) {
    add(tasks, task);
  }

  /** Runs tasks on the engine's thread when nothing else is left to do there. */
  public Executor whenSettled() {
    return task -> add(answers, task);
  }

  /** Keeps the invocations of handlers until {@link #takeHandler}. */
  public Executor handlers() {
    return task -> add(handlers, task);
  }

  /** Runs listeners of the application, one at a time. */
  public Executor listeners() {
    return task -> add(listeners, task);
  }

  /**
   * Sets what runs on the engine's thread when there has been nothing to do for ten seconds of real
   * time and nobody lets time pass: a call that still waits then waits for ever.
   */
  public synchronized void onStall(Runnable task) {
    onStall = task;
  }

  private synchronized void add(Deque<Runnable> queue, Runnable task) {
    if (closed) {
      if (threads.contains(Thread.currentThread())) {
        return;
      }
      throw new RejectedExecutionException("the TestMillrace of this test is closed");
    }
    queue.add(task);
    idle = false;
    notifyAll();
  }

  /**
   * Calls code on the engine's thread, so that nothing else happens meanwhile, and waits until its
   * consequences at this instant are complete. The code must not wait for other tasks.
   *
   * @throws RuntimeException as the code throws it
   */
  public <T> T call(Supplier<T> code) {
    CompletableFuture<T> result = new CompletableFuture<>();
    execute(
        () -> {
          try {
            result.complete(code.get());
          } catch (RuntimeException | Error thrown) {
            result.completeExceptionally(thrown);
          }
        });
    settle(null);
    try {
      return result.join();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof RuntimeException thrown) {
        throw thrown;
      }
      throw failed;
    }
  }

  /** Returns how many tasks, listeners and steps of time have begun. */
  synchronized long begun() {
    return begun;
  }

  /** Takes the handler that waits longest; null if none does. */
  public synchronized @Nullable Runnable takeHandler() {
    return handlers.poll();
  }

  /**
   * Waits until nothing is left to do at this instant, and until time has passed as the passage
   * says, or has to stand still for a handler. If the thread is interrupted, no more time passes,
   * and it stays interrupted.
   *
   * @param through lets time pass; null to let none pass
   * @throws IllegalStateException if the engine failed or hangs, or if a listener calls this
   */
  public synchronized void settle(@Nullable Passage through) {
    if (threads.contains(Thread.currentThread())) {
      throw new IllegalStateException(
          "a listener, or code that depends on a future of the client, cannot let time pass");
    }
    if (closed) {
      throw new IllegalStateException("the TestMillrace of this test is closed");
    }
    boolean interrupted = Thread.interrupted();
    passage = interrupted ? null : through;
    driver = Thread.currentThread();
    idle = false;
    notifyAll();
    try {
      while (!idle && failure == null) {
        interrupted |= !awaitProgress();
      }
    } finally {
      passage = null;
      driver = null;
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    if (failure != null) {
      throw new IllegalStateException("the tracker of this test failed", failure);
    }
  }

  /** Returns false if the thread was interrupted. */
  @SuppressWarnings("WaitNotInLoop") // the caller's loop
  private boolean awaitProgress() {
    long before = begun;
    long since = realTime.nanoTime();
    try {
      wait(PATIENCE.toMillis());
    } catch (InterruptedException interrupted) {
      passage = null;
      return false;
    }
    if (!idle && begun == before && realTime.nanoTime() - since >= PATIENCE.toNanos()) {
      throw new IllegalStateException(
          "a task of the tracker, or a listener, has not ended for " + PATIENCE + where());
    }
    return true;
  }

  private String where() {
    return threads.stream()
        .map(
            thread ->
                Arrays.stream(thread.getStackTrace())
                    .map(frame -> "\n    at " + frame)
                    .collect(Collectors.joining("", "\n  " + thread.getName(), "")))
        .collect(Collectors.joining());
  }

  private void runTasks() {
    try {
      for (Runnable next = nextTask(); next != null; next = nextTask()) {
        next.run();
      }
    } catch (Throwable thrown) {
      fail(thrown);
    }
  }

  private synchronized void fail(Throwable thrown) {
    failure = thrown;
    notifyAll();
  }

  private synchronized @Nullable Runnable nextTask() {
    while (!closed) {
      Runnable next = pollTask();
      if (next != null) {
        begun++;
        return next;
      }
      if (!listening && listeners.isEmpty()) {
        idle = true;
        notifyAll();
      }
      boolean wasIdle = idle && driver == null;
      long before = realTime.nanoTime();
      if (!waitForMore(stallAfter)) {
        return null;
      }
      if (wasIdle
          && idle
          && driver == null
          && realTime.nanoTime() - before >= stallAfter.toNanos()) {
        return onStall;
      }
    }
    return null;
  }

  private @Nullable Runnable pollTask() {
    Runnable next = tasks.poll();
    if (next == null) {
      next = answers.poll();
    }
    return next == null && timeMayPass() ? passageStep() : next;
  }

  private @Nullable Runnable passageStep() {
    Passage through = passage;
    return through == null ? null : through::step;
  }

  private boolean timeMayPass() {
    Passage through = passage;
    Thread waiting = driver;
    return through != null
        && waiting != null
        && !waiting.isInterrupted()
        && !listening
        && listeners.isEmpty()
        && !through.isOver()
        && (handlers.isEmpty() || !through.waitsForHandlers());
  }

  private void runListeners() {
    for (Runnable next = nextListener(); next != null; next = nextListener()) {
      try {
        next.run();
      } catch (RuntimeException | Error thrown) {
        NamedThreads.logDeath(Thread.currentThread(), thrown);
      }
    }
  }

  private synchronized @Nullable Runnable nextListener() {
    listening = false;
    notifyAll();
    while (!closed) {
      Runnable next = listeners.poll();
      if (next != null) {
        listening = true;
        begun++;
        return next;
      }
      if (!waitForMore(Duration.ZERO)) {
        return null;
      }
    }
    return null;
  }

  /**
   * Returns false if the thread is asked to end.
   *
   * @param most zero to wait without end
   */
  @SuppressWarnings("WaitNotInLoop") // the callers' loops
  private boolean waitForMore(Duration most) {
    try {
      wait(most.toMillis());
      return true;
    } catch (InterruptedException end) {
      return false;
    }
  }

  /** Ends the threads; drops what is left. Idempotent. */
  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
