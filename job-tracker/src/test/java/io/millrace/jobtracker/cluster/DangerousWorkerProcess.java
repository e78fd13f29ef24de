package io.millrace.jobtracker.cluster;

import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A worker in a JVM of its own, whose invocations end that JVM, or wait for the loss of their
 * lease.
 */
final class DangerousWorkerProcess {
  static final String HALT = "halt";
  static final String WAIT = "wait";

  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private DangerousWorkerProcess() {}

  static ChildJvm start(Path log, String address, String nodeGroup, Path journal) {
    return ChildJvm.start(
        DangerousWorkerProcess.class, log, List.of(address, nodeGroup, journal.toString()));
  }

  public static void main(String[] args) throws IOException {
    try (JournalFile journal = JournalFile.append(Path.of(args[2]));
        TaskTracker worker =
            TaskTracker.builder()
                .trackers(args[0])
                .nodeGroup(args[1])
                .slots(1)
                .pullInterval(Duration.ofMillis(200))
                .handler(HALT, context -> halt(context, journal))
                .handler(WAIT, context -> waitUntilLost(context, journal))
                .build()) {
      worker.start();
      ChildJvm.awaitEndOfInput();
    }
  }

  private static Result halt(JobContext context, JournalFile journal) {
    journal.began(Run.of(context, "a-victim"));
    Runtime.getRuntime().halt(3);
    return Result.success("from the dead");
  }

  /** Claims to have succeeded, which nobody must believe. */
  private static Result waitUntilLost(JobContext context, JournalFile journal) {
    journal.began(Run.of(context, "the-zombie"));
    try {
      NEVER.await();
    } catch (InterruptedException e) {
      if (context.isLost()) {
        journal.ended(context.executionId());
      }
    }
    return Result.success("too late");
  }
}
