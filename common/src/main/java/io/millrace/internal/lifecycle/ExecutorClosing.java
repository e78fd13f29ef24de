package io.millrace.internal.lifecycle;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes an executor: rejects new tasks, waits for the present ones, then interrupts them and waits
 * a little longer.
 */
record ExecutorClosing(String name, ExecutorService executor, Duration patience)
    implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorClosing.class);

  @Override
  public void run() {
    executor.shutdown();
    try {
      // Half of the patience for the tasks, a quarter for interrupted ones: ends before the group
      // gives up.
      if (terminatesWithin(patience.dividedBy(2))) {
        return;
      }
      int dropped = executor.shutdownNow().size();
      LOG.warn("{}: interrupted the running tasks and dropped {} waiting tasks", name, dropped);
      if (!terminatesWithin(patience.dividedBy(4))) {
        LOG.warn("{}: a task ignores its interrupt and is still running", name);
      }
    } catch (InterruptedException interrupted) {
      executor.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private boolean terminatesWithin(Duration wait) throws InterruptedException {
    return executor.awaitTermination(wait.toNanos(), TimeUnit.NANOSECONDS);
  }
}
