package io.millrace.tasktracker;

import static io.millrace.tasktracker.HandDrivenWorker.GROUP;
import static io.millrace.tasktracker.HandDrivenWorker.execution;
import static io.millrace.tasktracker.HandDrivenWorker.executions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Outcome;
import io.millrace.internal.protocol.LogLine;
import io.millrace.internal.protocol.PullReply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What holds on the threads that run invocations: LTS interrupted jobs of connected workers, let
 * interrupts leak into the next job, mixed up log lines and blocked threads on acknowledgements.
 */
@Timeout(30)
class JobThreadTest {
  private final ExecutorService threads = Executors.newFixedThreadPool(4);

  @AfterEach
  void stopThreads() {
    threads.shutdownNow();
  }

  private HandDrivenWorker worker(JobRunner runner) {
    return HandDrivenWorker.with(runner)
        .slots(4)
        .logBounds(100_000, 1 << 26)
        .jobs(threads)
        .connect();
  }

  private static void awaitResults(HandDrivenWorker worker, int count) {
    await().until(() -> worker.results().size() == count);
  }

  @Test
  void jobsOfAConnectedWorkerAreNeverInterrupted() {
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(4);
    HandDrivenWorker worker =
        worker(
            context -> {
              begun.countDown();
              go.await();
              return Result.success();
            });
    worker.tracker.assign(executions(11, 4));
    await().until(() -> begun.getCount() == 0);

    for (int second = 0; second < 120; second++) {
      worker.advance(Duration.ofSeconds(1));
      worker.tracker.pulls.forEach(
          call -> call.answer().complete(PullReply.of(List.of(), List.of())));
    }
    go.countDown();

    awaitResults(worker, 4);
    assertThat(worker.results()).allMatch(result -> result.outcome() == Outcome.SUCCESS);
  }

  @Test
  void jobsOfAWorkerThatIsCutOffRunToTheirEndAndAreReportedLater() {
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(4);
    CountDownLatch ended = new CountDownLatch(4);
    HandDrivenWorker worker =
        worker(
            context -> {
              begun.countDown();
              go.await();
              ended.countDown();
              return Result.success();
            });
    worker.tracker.assign(executions(11, 4));
    await().until(() -> begun.getCount() == 0);

    worker.tracker.disconnect();
    worker.advance(Duration.ofMinutes(5));
    go.countDown();
    await().until(() -> ended.getCount() == 0);
    worker.tracker.connect();

    awaitResults(worker, 4);
    assertThat(worker.results()).allMatch(result -> result.outcome() == Outcome.SUCCESS);
  }

  @Test
  void interruptThatAnInvocationLeavesBehindNeverReachesTheNextJobOnItsThread() throws Exception {
    AtomicInteger interrupted = new AtomicInteger();
    ExecutorService oneThread = Executors.newSingleThreadExecutor();
    try {
      HandDrivenWorker worker =
          HandDrivenWorker.with(
                  context -> {
                    if (Thread.currentThread().isInterrupted()) {
                      interrupted.incrementAndGet();
                    }
                    Thread.currentThread().interrupt();
                    return Result.success();
                  })
              .jobs(oneThread)
              .connect();
      worker.tracker.assign(executions(11, 4));
      awaitResults(worker, 4);

      Future<Boolean> flagAfterwards = oneThread.submit(Thread::interrupted);
      assertThat(flagAfterwards.get()).isFalse();
      assertThat(interrupted).hasValue(0);
    } finally {
      oneThread.shutdownNow();
    }
  }

  @Test
  void interruptOfAStopThatComesTooLateDoesNotReachTheThread() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean go = new AtomicBoolean();
    ExecutorService oneThread = Executors.newSingleThreadExecutor();
    try {
      HandDrivenWorker worker =
          HandDrivenWorker.with(
                  context -> {
                    begun.countDown();
                    while (!go.get()) {
                      Thread.onSpinWait();
                    }
                    return Result.success();
                  })
              .jobs(oneThread)
              .connect();
      worker.tracker.assign(execution(11));
      await().until(() -> begun.getCount() == 0);
      worker.node.stop();
      worker.advance(Duration.ofSeconds(31));
      go.set(true);

      awaitResults(worker, 1);
      assertThat(oneThread.submit(Thread::interrupted).get()).isFalse();
      assertThat(worker.results().get(0).outcome()).isEqualTo(Outcome.SUCCESS);
    } finally {
      oneThread.shutdownNow();
    }
  }

  @Test
  void linesWrittenAtTheSameTimeStayWithTheirJobsAndInOrder() {
    HandDrivenWorker worker =
        worker(
            context -> {
              for (int i = 1; i <= 500; i++) {
                context.logger().info("{} {}", context.taskId(), i);
              }
              return Result.success();
            });
    worker.tracker.assign(executions(11, 4));
    awaitResults(worker, 4);
    await().until(() -> worker.tracker.lines.size() == 2_000);

    for (long id = 11; id < 15; id++) {
      String task = "task-" + id;
      assertThat(worker.tracker.linesOf(id))
          .extracting(LogLine::text)
          .containsExactlyElementsOf(
              IntStream.rangeClosed(1, 500).mapToObj(i -> task + " " + i).toList());
      assertThat(worker.tracker.linesOf(id))
          .extracting(LogLine::sequence)
          .containsExactlyElementsOf(IntStream.rangeClosed(1, 500).boxed().toList());
    }
  }

  @Test
  void linesOneJobWritesFromSeveralThreadsAreNumberedWithoutGaps() {
    HandDrivenWorker worker =
        worker(
            context -> {
              IntStream.range(0, 1_000).parallel().forEach(i -> context.logger().info("{}", i));
              return Result.success();
            });
    worker.tracker.assign(execution(11));
    await().until(() -> worker.tracker.linesOf(11).size() == 1_000);

    assertThat(worker.tracker.linesOf(11))
        .extracting(LogLine::sequence)
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 1_000).boxed().toList());
  }

  @Test
  void threadIsFreeForTheNextJobWhileTheTrackerIsSilent() {
    AtomicInteger runs = new AtomicInteger();
    HandDrivenWorker worker =
        worker(
            context -> {
              context.logger().info("runs in {}", GROUP);
              runs.incrementAndGet();
              return Result.success();
            });
    worker.tracker.answersCompletes = false;
    worker.tracker.answersLogs = false;

    for (int round = 0; round < 20; round++) {
      await().until(worker.tracker::isAskedForWork);
      worker.tracker.assign(execution(100 + round));
      int expected = round + 1;
      await().until(() -> runs.get() == expected);
    }

    assertThat(runs).hasValue(20);
  }
}
