package io.millrace.jobclient.internal.resources;

import io.millrace.internal.lifecycle.NamedThreads;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;

/**
 * The thread of a relay that receives none: it waits for the database and for trackers. A daemon.
 */
public final class RelayThread implements AutoCloseable {
  private static final Duration IDLE = Duration.ofSeconds(30);

  private final ExecutorService thread = NamedThreads.daemon("millrace-relay").pool(1, IDLE);

  public Executor executor() {
    return thread;
  }

  /** Lets the tasks finish that were given to it; accepts no others. */
  @Override
  public void close() {
    thread.shutdown();
  }
}
