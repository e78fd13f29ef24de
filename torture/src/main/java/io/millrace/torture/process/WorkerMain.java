package io.millrace.torture.process;

import io.millrace.internal.time.SystemClock;
import io.millrace.tasktracker.TaskTracker;
import io.millrace.torture.journal.RunJournal;
import io.millrace.torture.load.LoadJob;
import io.millrace.torture.load.Workload;
import io.millrace.torture.node.Arguments;
import io.millrace.torture.node.EndOfRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A worker for every node group that runs until it is asked to end. */
final class WorkerMain {
  static final String TRACKERS = "trackers";
  static final String GROUPS = "groups";
  static final String ID = "id";
  static final String JOURNAL = "journal";
  static final String OUTBOX = "outbox";

  private static final int SLOTS = 8;
  private static final Duration GRACE = Duration.ofSeconds(5);

  private WorkerMain() {}

  public static void main(String[] words) {
    Arguments arguments = Arguments.of(words);
    try (EndOfRun end = EndOfRun.watch();
        RunJournal journal = RunJournal.open(arguments.path(JOURNAL), new SystemClock())) {
      List<TaskTracker> workers = new ArrayList<>();
      for (String group : arguments.list(GROUPS)) {
        workers.add(worker(arguments, group, journal));
      }
      workers.forEach(TaskTracker::start);
      end.asked().join();
      workers.stream().map(TaskTracker::closeAsync).toList().forEach(closing -> closing.join());
    }
  }

  private static TaskTracker worker(Arguments arguments, String group, RunJournal journal) {
    return TaskTracker.builder()
        .trackers(arguments.list(TRACKERS))
        .nodeGroup(group)
        .id(arguments.text(ID) + "-" + group)
        .outbox(arguments.path(OUTBOX).resolve(group))
        .slots(SLOTS)
        .labels(Workload.labelsOf(arguments.text(ID)).toArray(String[]::new))
        .shutdownGrace(GRACE)
        .runner(Workload.runner(journal))
        .handler(LoadJob.REDUCE, Workload.reducer(journal))
        .build();
  }
}
