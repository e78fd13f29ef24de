package io.millrace.jobtracker.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/** An executor that runs tasks in order, when the one thread of the simulation says so. */
final class RunQueue implements Executor {
  private final Deque<Runnable> tasks = new ArrayDeque<>();

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  /** Runs until nothing is left to run, what is added meanwhile included. */
  void drain() {
    runUntil(() -> false);
  }

  /** Runs until this holds, or nothing is left to run. A task that runs may call it. */
  void runUntil(BooleanSupplier holds) {
    while (!holds.getAsBoolean() && !tasks.isEmpty()) {
      tasks.remove().run();
    }
  }
}
