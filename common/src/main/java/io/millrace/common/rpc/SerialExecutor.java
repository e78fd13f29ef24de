package io.millrace.common.rpc;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time, in order, on an executor that may have many threads or none of its own.
 * A task given while another runs waits for it, even if the running one gives it. Thread-safe.
 */
final class SerialExecutor implements Executor {
  private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

  private final Executor executor;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private boolean running;

  SerialExecutor(Executor executor) {
    this.executor = executor;
  }

  @Override
  public void execute(Runnable task) {
    synchronized (waiting) {
      waiting.add(task);
      if (running) {
        return;
      }
      running = true;
    }
    try {
      executor.execute(this::runWaiting);
    } catch (RejectedExecutionException e) {
      synchronized (waiting) {
        waiting.clear();
        running = false;
      }
      throw e;
    }
  }

  private void runWaiting() {
    Runnable task = next();
    while (task != null) {
      try {
        task.run();
      } catch (RuntimeException e) {
        LOG.error("rpc: a task failed", e);
      }
      task = next();
    }
  }

  private @Nullable Runnable next() {
    synchronized (waiting) {
      Runnable task = waiting.poll();
      running = task != null;
      return task;
    }
  }
}
