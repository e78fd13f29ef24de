package io.millrace.torture.node;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a child when it has to end: it was asked to by a signal, or its input has ended, because
 * the run has. The signal's default, an end at once, waits until this is closed.
 */
public final class EndOfRun implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EndOfRun.class);

  private final CompletableFuture<Void> asked = new CompletableFuture<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  private EndOfRun() {}

  /** One for this process. */
  public static EndOfRun watch() {
    EndOfRun end = new EndOfRun();
    Thread reader = new Thread(end::readInput, "torture-input");
    reader.setDaemon(true);
    reader.start();
    Runtime.getRuntime().addShutdownHook(new Thread(end::askAndWait, "torture-signal"));
    return end;
  }

  private void readInput() {
    try {
      int read = 0;
      while (read >= 0) {
        read = System.in.read();
      }
    } catch (IOException e) {
      LOG.warn("input is broken", e);
    }
    boolean unused = asked.complete(null);
  }

  private void askAndWait() {
    boolean unused = asked.complete(null);
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Completes when the child has to end. */
  public CompletableFuture<Void> asked() {
    return asked;
  }

  /** Everything is closed: the process may end. */
  @Override
  public void close() {
    closed.countDown();
  }
}
