package io.millrace.jobtracker.cluster;

import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.JobRunner;
import io.millrace.tasktracker.Result;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Every invocation that began in this JVM, on any worker. Thread-safe. */
final class Journal {
  private final Queue<Run> runs = new ConcurrentLinkedQueue<>();
  private final Map<String, Integer> runsByTrigger = new ConcurrentHashMap<>();

  /** An invocation; it receives how often its trigger has begun so far, this time included. */
  @FunctionalInterface
  interface Invocation {
    Result run(JobContext context, int times) throws Exception;
  }

  /** What a worker of this id runs: notes that the invocation begins, then runs it. */
  JobRunner noting(String workerId, Invocation invocation) {
    return context -> {
      Run run = Run.of(context, workerId);
      runs.add(run);
      return invocation.run(context, runsByTrigger.merge(run.trigger(), 1, Integer::sum));
    };
  }

  List<Run> runs() {
    return List.copyOf(runs);
  }

  int size() {
    return runs.size();
  }
}
