package io.millrace.tasktracker;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time, in the order they came, on another executor. A task that throws is
 * logged and the next one runs. After {@link #close}, tasks are forgotten.
 *
 * <p>Thread-safe; what one task wrote the next one sees.
 */
final class SerialExecutor implements Executor {
  private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

  private final Executor executor;
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private boolean running;
  private boolean closed;

  SerialExecutor(Executor executor) {
    this.executor = executor;
  }

  @Override
  public void execute(Runnable task) {
    synchronized (tasks) {
      if (closed) {
        return;
      }
      tasks.add(task);
      if (running) {
        return;
      }
      running = true;
    }
    try {
      executor.execute(this::runAll);
    } catch (RejectedExecutionException refused) {
      synchronized (tasks) {
        running = false;
      }
      throw refused;
    }
  }

  /** Forgets what waits and whatever comes later. */
  void close() {
    synchronized (tasks) {
      closed = true;
      tasks.clear();
    }
  }

  private void runAll() {
    for (Runnable task = next(); task != null; task = next()) {
      try {
        task.run();
      } catch (RuntimeException | Error failure) {
        LOG.error("a task of the worker's loop failed", failure);
      }
    }
  }

  private @Nullable Runnable next() {
    synchronized (tasks) {
      Runnable task = tasks.poll();
      running = task != null;
      return task;
    }
  }
}
