package io.millrace.spring.internal.config;

import io.millrace.spring.internal.handler.HandlerMethods;
import io.millrace.tasktracker.TaskTracker;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the worker after everything else and stops it before everything else: while it stops, the
 * web server still answers and no pool of connections is closed, so that jobs can end.
 *
 * <p>Stopping waits for the worker, which takes at most its own times. A stop that only called back
 * would be cut short by the time that Spring has for a phase, under jobs that still run.
 */
final class WorkerLifecycle implements SmartInitializingSingleton, SmartLifecycle {
  private final HandlerMethods handlers;
  private final ObjectProvider<TaskTracker> workers;
  private @Nullable TaskTracker running;

  WorkerLifecycle(HandlerMethods handlers, ObjectProvider<TaskTracker> workers) {
    this.handlers = handlers;
    this.workers = workers;
  }

  /** Builds the worker, so that a wrong property stops the start before anything else starts. */
  @Override
  public void afterSingletonsInstantiated() {
    if (!handlers.all().isEmpty()) {
      TaskTracker unused = workers.getObject();
    }
  }

  @Override
  public synchronized void start() {
    if (running == null && !handlers.all().isEmpty()) {
      TaskTracker worker = workers.getObject();
      worker.start();
      running = worker;
    }
  }

  @Override
  public synchronized void stop() {
    if (running != null) {
      running.close();
      running = null;
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return running != null;
  }

  @Override
  public int getPhase() {
    return DEFAULT_PHASE;
  }
}
