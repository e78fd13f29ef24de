package io.millrace.jobtracker.cluster;

import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A worker in a JVM of its own, which writes down every invocation that begins and ends. After some
 * invocations the further ones never end, so that a kill interrupts invocations.
 */
final class WorkerProcess {
  private static final long RUN_MILLIS = 20;
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private WorkerProcess() {}

  /** Starts one, whose invocations get stuck after so many of them. */
  static ChildJvm start(
      Path log, String address, String nodeGroup, String id, Path journal, int stuckAfter) {
    return ChildJvm.start(
        WorkerProcess.class,
        log,
        List.of(address, nodeGroup, id, journal.toString(), String.valueOf(stuckAfter)));
  }

  public static void main(String[] args) throws IOException {
    AtomicInteger invocations = new AtomicInteger();
    int stuckAfter = Integer.parseInt(args[4]);
    try (JournalFile journal = JournalFile.append(Path.of(args[3]));
        TaskTracker worker =
            TaskTracker.builder()
                .trackers(args[0])
                .nodeGroup(args[1])
                .id(args[2])
                .slots(4)
                .runner(
                    context ->
                        run(context, args[2], journal, invocations.incrementAndGet() > stuckAfter))
                .build()) {
      worker.start();
      ChildJvm.awaitEndOfInput();
    }
  }

  private static Result run(JobContext context, String id, JournalFile journal, boolean isStuck)
      throws InterruptedException {
    journal.began(Run.of(context, id));
    if (isStuck) {
      NEVER.await();
    }
    work();
    journal.ended(context.executionId());
    return Result.success();
  }

  /** What an invocation does: it takes its time. */
  static void work() throws InterruptedException {
    boolean unused = NEVER.await(RUN_MILLIS, TimeUnit.MILLISECONDS);
  }
}
