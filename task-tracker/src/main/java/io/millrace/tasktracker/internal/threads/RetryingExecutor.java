package io.millrace.tasktracker.internal.threads;

import io.millrace.internal.time.Timer;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands tasks over to an executor, and tries again after a pause if the executor rejects a task or
 * can create no thread for it. The callers of the worker's loop never retry a task: if a heartbeat
 * were lost, no heartbeat would follow, and if the end of an attempt were lost, its slot would stay
 * taken forever. A delayed task may run after later ones.
 *
 * <p>Thread-safe.
 */
public final class RetryingExecutor implements Executor {
  private static final Logger LOG = LoggerFactory.getLogger(RetryingExecutor.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Executor executor;
  private final Timer timer;

  public RetryingExecutor(Executor executor, Timer timer) {
    this.executor = executor;
    this.timer = timer;
  }

  @Override
  public void execute(Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException | OutOfMemoryError refused) {
      timer.schedule(PAUSE, this, task);
      LOG.warn("the event loop rejected a task; retrying in {}: {}", PAUSE, refused.toString());
    }
  }
}
