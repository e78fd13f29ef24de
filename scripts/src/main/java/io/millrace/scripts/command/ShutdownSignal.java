package io.millrace.scripts.command;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies the thread that runs a node of Ctrl-C or SIGTERM: the thread stops waiting and closes
 * the node, and only then the process ends. The thread that installs it closes it last.
 */
public final class ShutdownSignal implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ShutdownSignal.class);

  private final CountDownLatch requested = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook;

  private ShutdownSignal(Duration patience) {
    this.hook = new Thread(() -> holdProcess(patience), "shutdown-signal");
  }

  /**
   * Starts watching. The process ends after {@code patience} at the latest, even if this is not
   * closed.
   */
  public static ShutdownSignal install(Duration patience) {
    ShutdownSignal signal = new ShutdownSignal(patience);
    Runtime.getRuntime().addShutdownHook(signal.hook);
    return signal;
  }

  /** Waits until the process is asked to end. */
  public void await() throws InterruptedException {
    requested.await();
  }

  /** Ends the wait without a signal, because the running work ended by itself. */
  public void endWait() {
    requested.countDown();
  }

  /** Waits until the process is asked to end, at most this long; returns whether it was asked. */
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
      LOG.debug("the process is already exiting", e);
    }
  }
}
