package io.millrace.scripts.demo;

import io.millrace.internal.time.Clock;
import io.millrace.tasktracker.JobRunner;
import io.millrace.tasktracker.TaskTrackerBuilder;

/** Adds the demo handlers to a worker. */
public final class DemoWorker {

  private DemoWorker() {}

  /**
   * Adds every demo handler and reports its attempts to the listener. Jobs without a handler are
   * echoed.
   *
   * @param name of the worker, for the listener
   */
  public static void addHandlers(
      TaskTrackerBuilder builder, String name, Clock clock, AttemptListener listener) {
    DemoRunners.byName()
        .forEach(
            (handler, runner) -> builder.handler(handler, watched(runner, name, clock, listener)));
    builder.runner(watched(DemoRunners::echo, name, clock, listener));
  }

  private static JobRunner watched(
      JobRunner runner, String name, Clock clock, AttemptListener listener) {
    return new WatchedRunner(runner, name, clock, listener);
  }
}
