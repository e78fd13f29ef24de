package io.millrace.internal.time;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** An executor whose tasks run when the test says so; it can be told to refuse. */
final class RunQueue implements Executor {
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private boolean refusing;

  @Override
  public void execute(Runnable task) {
    if (refusing) {
      throw new RejectedExecutionException("told to refuse");
    }
    tasks.add(task);
  }

  void refuse(boolean refuse) {
    refusing = refuse;
  }

  int size() {
    return tasks.size();
  }

  void runAll() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }
}
