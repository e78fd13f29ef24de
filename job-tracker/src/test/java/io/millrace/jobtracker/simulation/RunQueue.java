package io.millrace.jobtracker.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/** An executor that runs tasks in order, when the one thread of the simulation says so. */
final class RunQueue implements Executor {
  private final Deque<Runnable> tasks = new ArrayDeque<>();

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  /** Runs until nothing is left to run, what is added meanwhile included. */
  void drain() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }
}
