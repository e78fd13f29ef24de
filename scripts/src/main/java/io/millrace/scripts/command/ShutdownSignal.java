package io.millrace.scripts.command;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ctrl-C or SIGTERM, seen by the thread that runs a node: it leaves its wait, closes the node, and
 * only then does the process end. Whoever installs it closes it after everything else.
 */
public final class ShutdownSignal implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ShutdownSignal.class);

  private final CountDownLatch requested = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook;

  private ShutdownSignal(Duration patience) {
    this.hook = new Thread(() -> holdProcess(patience), "shutdown-signal");
  }

  /** Begins to watch. The process ends after {@code patience} at the latest, closed or not. */
  public static ShutdownSignal install(Duration patience) {
    ShutdownSignal signal = new ShutdownSignal(patience);
    Runtime.getRuntime().addShutdownHook(signal.hook);
    return signal;
  }

  /** Waits until the process is asked to end. */
  public void await() throws InterruptedException {
    requested.await();
  }

  /** Stops waiting for it, as if it had come: what was running has ended by itself. */
  public void endWait() {
    requested.countDown();
  }

  /** Waits until the process is asked to end, at most this long; returns whether it was. */
  public boolean await(Duration limit) throws InterruptedException {
    return requested.await(limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void holdProcess(Duration patience) {
    requested.countDown();
    try {
      closed.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets the process end. */
  @Override
  public void close() {
    closed.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      LOG.debug("the process is ending already, and the hook with it", e);
    }
  }
}
