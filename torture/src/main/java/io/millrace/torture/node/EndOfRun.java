package io.millrace.torture.node;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies a child process that it has to end: because of a signal, or because its input ended with
 * the run. The signal's default action, an immediate end, is delayed until this is closed.
 */
public final class EndOfRun implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EndOfRun.class);

  private final CompletableFuture<Void> asked = new CompletableFuture<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  private EndOfRun() {}

  /** Starts watching in this process. */
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
      LOG.warn("cannot read the input", e);
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

  /** Returns a future that completes when the process has to end. */
  public CompletableFuture<Void> asked() {
    return asked;
  }

  /** Lets the process end, because everything else is closed. */
  @Override
  public void close() {
    closed.countDown();
  }
}
