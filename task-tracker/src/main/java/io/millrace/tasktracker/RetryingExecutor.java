package io.millrace.tasktracker;

import io.millrace.common.time.Timer;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands tasks to an executor, and again after a while if that can have no thread for them now. What
 * the worker's loop is given is never given twice by whoever gives it: a beat that is lost would be
 * the last, and an end that is lost would hold its slot for ever. A task that had to wait may come
 * after later ones.
 *
 * <p>Thread-safe.
 */
final class RetryingExecutor implements Executor {
  private static final Logger LOG = LoggerFactory.getLogger(RetryingExecutor.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Executor executor;
  private final Timer timer;

  RetryingExecutor(Executor executor, Timer timer) {
    this.executor = executor;
    this.timer = timer;
  }

  @Override
  public void execute(Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException | OutOfMemoryError refused) {
      timer.schedule(PAUSE, this, task);
      LOG.warn("the loop takes no task now; tried again in {}: {}", PAUSE, refused.toString());
    }
  }
}
