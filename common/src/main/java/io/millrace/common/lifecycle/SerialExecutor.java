package io.millrace.common.lifecycle;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time, in the order they came, on an executor that may have many threads or
 * none of its own. A task given while another runs waits for it, even if the running one gives it.
 * A task that throws is logged, and the next one runs.
 *
 * <p>Thread-safe; what one task wrote the next one sees.
 */
public final class SerialExecutor implements Executor {
  private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

  private final String name;
  private final Executor executor;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private boolean running;
  private boolean closed;

  /**
   * Makes one that is open.
   *
   * @param name whose tasks these are, for the log
   * @param executor runs them; not closed here
   */
  public SerialExecutor(String name, Executor executor) {
    this.name = name;
    this.executor = executor;
  }

  /**
   * Runs the task after those that came before it; forgets it after {@link #close}.
   *
   * @throws RejectedExecutionException if the executor below refuses it, or whatever else it
   *     throws; nothing of the task remains
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
      // An error too: no thread may be had for it now. Whoever thought the rest would run waits.
      synchronized (waiting) {
        boolean unused = waiting.removeLastOccurrence(task);
        running = false;
      }
      throw refused;
    }
  }

  /** Forgets what waits and whatever comes later; a task under way goes on. Idempotent. */
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
        tell(failure);
      }
    }
  }

  /** The next task runs also if memory is out, or the failure cannot print itself. */
  private void tell(Throwable failure) {
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
