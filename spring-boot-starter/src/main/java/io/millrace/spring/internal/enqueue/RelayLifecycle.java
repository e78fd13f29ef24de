package io.millrace.spring.internal.enqueue;

import io.millrace.jobclient.JobRelay;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the relay when all beans exist, and with them the tables of the application's migrations;
 * stops it after the web server and the worker, which may still enqueue jobs.
 */
final class RelayLifecycle implements SmartLifecycle {
  /** Below that of the web server, which is 2,048 below the default. */
  private static final int PHASE = DEFAULT_PHASE - 4096;

  private final JobRelay relay;
  private boolean running;

  RelayLifecycle(JobRelay relay) {
    this.relay = relay;
  }

  @Override
  public synchronized void start() {
    relay.start();
    running = true;
  }

  @Override
  public synchronized void stop() {
    relay.stop();
    running = false;
  }

  @Override
  public synchronized boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
