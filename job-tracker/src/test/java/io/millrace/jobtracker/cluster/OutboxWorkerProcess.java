package io.millrace.jobtracker.cluster;

import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A worker with an outbox in a JVM of its own, which writes down every invocation that begins and
 * ends. Invocations end when the file that is their gate is there.
 */
final class OutboxWorkerProcess {
  private OutboxWorkerProcess() {}

  static ChildJvm start(
      Path log, String address, String nodeGroup, Path outbox, Path journal, Path gate) {
    return ChildJvm.start(
        OutboxWorkerProcess.class,
        log,
        List.of(address, nodeGroup, outbox.toString(), journal.toString(), gate.toString()));
  }

  public static void main(String[] args) throws IOException {
    Path gate = Path.of(args[4]);
    try (JournalFile journal = JournalFile.append(Path.of(args[3]));
        TaskTracker worker =
            TaskTracker.builder()
                .trackers(args[0])
                .nodeGroup(args[1])
                .outbox(Path.of(args[2]))
                .runner(context -> run(context, journal, gate))
                .build()) {
      worker.start();
      ChildJvm.awaitEndOfInput();
    }
  }

  private static Result run(JobContext context, JournalFile journal, Path gate)
      throws InterruptedException {
    journal.began(Run.of(context, "keeper"));
    while (!Files.exists(gate)) {
      WorkerProcess.work();
    }
    journal.ended(context.executionId());
    return Result.success();
  }
}
