package io.millrace.internal.lifecycle;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time, in the order of their submission, on an executor that may have many
 * threads or run tasks in the calling thread. A task submitted while another one runs waits for it,
 * even if the running task submits it. If a task throws, the exception is logged and the next task
 * runs.
 *
 * <p>Thread-safe; each task sees the writes of the tasks before it.
 */
public final class SerialExecutor implements Executor {
  private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

  private final String name;
  private final Executor executor;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private boolean running;
  private boolean closed;

  /**
   * Makes an open executor.
   *
   * @param name owner of the tasks, for the log
   * @param executor runs them; not closed here
   */
  public SerialExecutor(String name, Executor executor) {
    this.name = name;
    this.executor = executor;
  }

  /**
   * Runs the task after those submitted before it; drops it after {@link #close}.
   *
   * @throws RejectedExecutionException if the underlying executor rejects the task; any other
   *     exception of that executor is thrown too. In both cases the task is removed
   */
  @Override
  public void execute(Runnable task) {
    synchronized (waiting) {
      if (closed) {
        return;
      }
      waiting.add(task);
      if (running) {
        return;
      }
      running = true;
    }
    try {
      executor.execute(this::runWaiting);
    } catch (RuntimeException | Error refused) {
      // Errors too, for example when no thread can be created: if running stayed true, later tasks
      // would wait for ever.
      synchronized (waiting) {
        boolean unused = waiting.removeLastOccurrence(task);
        running = false;
      }
      throw refused;
    }
  }

  /** Drops the waiting tasks and all later ones; a running task continues. Idempotent. */
  public void close() {
    synchronized (waiting) {
      closed = true;
      waiting.clear();
    }
  }

  private void runWaiting() {
    for (Runnable task = next(); task != null; task = next()) {
      try {
        task.run();
      } catch (Throwable failure) {
        logFailure(failure);
      }
    }
  }

  /** Never throws: the next task runs even if memory is out, or printing the failure fails. */
  private void logFailure(Throwable failure) {
    try {
      LOG.error("{}: a task failed", name, failure);
    } catch (Throwable unspeakable) {
      Class<?> unused = unspeakable.getClass();
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
