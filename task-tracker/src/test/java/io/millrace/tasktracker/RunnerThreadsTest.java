package io.millrace.tasktracker;

import static io.millrace.tasktracker.HandDrivenWorker.GROUP;
import static io.millrace.tasktracker.HandDrivenWorker.execution;
import static io.millrace.tasktracker.HandDrivenWorker.executions;
import static io.millrace.tasktracker.HandDrivenWorker.withTimeout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Outcome;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.rpc.RpcServerConfig;
import io.millrace.internal.rpc.netty.NettyRpcServer;
import io.millrace.internal.time.SystemClock;
import io.millrace.internal.time.WheelTimer;
import java.lang.Thread.UncaughtExceptionHandler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.MDC;

/**
 * Whole workers on each kind of thread that this JVM has. The build runs this class on 17, and on a
 * JVM with virtual threads if it finds one.
 */
@Timeout(60)
class RunnerThreadsTest {
  private final WheelTimer timer = new WheelTimer("tracker-timer");
  private final ExecutorService trackerThreads = Executors.newFixedThreadPool(2);
  private final PocketTracker tracker =
      new PocketTracker(timer, trackerThreads, Duration.ofMillis(50));
  private final NettyRpcServer server =
      new NettyRpcServer(RpcServerConfig.onLoopback(0), "tracker-1", timer, new SystemClock(), 1);
  private final String address = server.start(tracker, session -> {});

  private final List<Thread> runnerThreads = new CopyOnWriteArrayList<>();
  private final AtomicBoolean over = new AtomicBoolean();

  @AfterEach
  void closeTracker() {
    over.set(true);
    server.close();
    timer.close();
    trackerThreads.shutdownNow();
  }

  static Object[] choices() {
    return ThreadKind.choices().toArray();
  }

  private TaskTrackerBuilder worker(RunnerThreads choice, JobRunner runner) {
    return TaskTracker.builder()
        .trackers(address)
        .nodeGroup(GROUP)
        .runnerThreads(choice)
        .runner(
            context -> {
              runnerThreads.add(Thread.currentThread());
              return runner.run(context);
            });
  }

  private ExecutionResult onlyResult() {
    await().until(() -> tracker.results().size() == 1);
    return tracker.results().get(0);
  }

  @ParameterizedTest
  @CsvSource({"17, false", "21, false", "23, false", "24, true", "25, true"})
  void whatIsChosenUnlessSomebodySaysOtherwise(int feature, boolean virtual) {
    assertThat(RunnerThreads.AUTO.areVirtual(feature)).isEqualTo(virtual);
    assertThatCode(() -> RunnerThreads.AUTO.requireOn(feature)).doesNotThrowAnyException();
  }

  @Test
  void virtualThreadsThatAreAskedForAreNotReplacedInSilence() {
    assertThatCode(() -> RunnerThreads.VIRTUAL.requireOn(21)).doesNotThrowAnyException();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RunnerThreads.VIRTUAL.requireOn(20))
        .withMessageContaining("VIRTUAL")
        .withMessageContaining("21")
        .withMessageContaining("20");
    assertThatCode(() -> RunnerThreads.PLATFORM.requireOn(17)).doesNotThrowAnyException();
  }

  @Test
  void workerForVirtualThreadsIsBuiltOnlyWhereTheyAre() {
    TaskTrackerBuilder builder = worker(RunnerThreads.VIRTUAL, context -> null);

    if (ThreadKind.jvmHasVirtualThreads()) {
      assertThatCode(builder::build).doesNotThrowAnyException();
    } else {
      assertThatIllegalArgumentException().isThrownBy(builder::build);
    }
  }

  @ParameterizedTest
  @MethodSource("choices")
  void invocationsRunOnThreadsOfTheChosenKindNamedAfterTheGroup(RunnerThreads choice) {
    try (TaskTracker worker = worker(choice, context -> Result.success()).slots(4).build()) {
      worker.start();
      tracker.offer(executions(11, 8));
      await().until(() -> tracker.results().size() == 8);
    }

    assertThat(runnerThreads)
        .hasSize(8)
        .allMatch(thread -> ThreadKind.isVirtual(thread) == ThreadKind.mustBeVirtual(choice))
        .extracting(Thread::getName)
        .allMatch(name -> name.matches("millrace-job-" + GROUP + "-\\d+"));
    assertThat(tracker.results())
        .extracting(ExecutionResult::outcome)
        .containsOnly(Outcome.SUCCESS);
  }

  @ParameterizedTest
  @MethodSource("choices")
  void invocationIsNamedInTheMdcAndLeavesNothingBehindForTheNext(RunnerThreads choice) {
    List<Map<String, String>> seen = new CopyOnWriteArrayList<>();
    try (TaskTracker worker =
        worker(
                choice,
                context -> {
                  seen.add(MDC.getCopyOfContextMap());
                  MDC.put("of", context.taskId());
                  return Result.success();
                })
            .slots(1)
            .build()) {
      worker.start();
      tracker.offer(executions(11, 2));
      await().until(() -> tracker.results().size() == 2);
    }

    assertThat(seen)
        .containsExactly(
            Map.of("taskId", "task-11", "executionId", "11", "attempt", "2"),
            Map.of("taskId", "task-12", "executionId", "12", "attempt", "2"));
  }

  @ParameterizedTest
  @MethodSource("choices")
  void timeOutInterruptsAnInvocationThatWaits(RunnerThreads choice) {
    CountDownLatch never = new CountDownLatch(1);
    try (TaskTracker worker =
        worker(
                choice,
                context -> {
                  never.await();
                  return Result.success();
                })
            .build()) {
      worker.start();
      tracker.offer(withTimeout(11, Duration.ofMillis(50)));

      assertThat(onlyResult().outcome()).isEqualTo(Outcome.TIMED_OUT);
      assertThat(onlyResult().message()).contains("\n\tat ", "CountDownLatch.await");
    }
  }

  /** Once where it waits for what no interrupt ends, and once where it computes. */
  @ParameterizedTest
  @MethodSource("choices")
  void stuckInvocationIsReportedWithItsStackTrace(RunnerThreads choice) {
    CountDownLatch go = new CountDownLatch(1);
    try (TaskTracker worker =
        worker(
                choice,
                context -> {
                  if (context.executionId() == 11) {
                    ThreadKind.spinUntil(over);
                  } else {
                    waitUnmoved(go);
                  }
                  return Result.success();
                })
            .slots(2)
            .interruptGrace(Duration.ofMillis(50))
            .build()) {
      worker.start();
      tracker.offer(withTimeout(11, Duration.ofMillis(50)), withTimeout(12, Duration.ofMillis(50)));
      await().until(() -> tracker.results().size() == 2);
      assertThat(worker.stuckInvocations()).isEqualTo(2);

      over.set(true);
      go.countDown();
      await().until(() -> worker.stuckInvocations() == 0);
    }

    assertThat(tracker.results())
        .extracting(ExecutionResult::outcome)
        .containsOnly(Outcome.TIMED_OUT);
    assertThat(messageOf(11))
        .contains("the invocation ignored the interrupt", "ThreadKind.spinUntil");
    assertThat(messageOf(12)).contains("the invocation ignored the interrupt", "waitUnmoved");
  }

  private String messageOf(long executionId) {
    return tracker.results().stream()
        .filter(result -> result.executionId() == executionId)
        .findFirst()
        .orElseThrow()
        .message();
  }

  private static void waitUnmoved(CountDownLatch go) {
    boolean gone = false;
    while (!gone) {
      try {
        go.await();
        gone = true;
      } catch (InterruptedException ignored) {
        assertThat(ignored).isNotNull();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("choices")
  void memoryThatIsOutEndsTheAttemptAndNotTheWorker(RunnerThreads choice) {
    UncaughtExceptionHandler usual = Thread.getDefaultUncaughtExceptionHandler();
    Queue<Throwable> toldTheProcess = new ConcurrentLinkedQueue<>();
    Thread.setDefaultUncaughtExceptionHandler((thread, cause) -> toldTheProcess.add(cause));
    try (TaskTracker worker =
        worker(
                choice,
                context -> {
                  if (context.executionId() == 11) {
                    throw new OutOfMemoryError("planted");
                  }
                  return Result.success();
                })
            .slots(1)
            .build()) {
      worker.start();
      tracker.offer(executions(11, 2));
      await()
          .dontCatchUncaughtExceptions()
          .until(() -> tracker.results().size() == 2 && !toldTheProcess.isEmpty());
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(usual);
    }

    assertThat(tracker.results())
        .extracting(ExecutionResult::outcome)
        .containsExactly(Outcome.EXCEPTION, Outcome.SUCCESS);
    assertThat(messageOf(11)).startsWith("java.lang.OutOfMemoryError: planted");
    assertThat(toldTheProcess).singleElement().isInstanceOf(OutOfMemoryError.class);
  }

  @ParameterizedTest
  @MethodSource("choices")
  void closeInterruptsInvocationsAfterTheGraceAndTheirThreadsEnd(RunnerThreads choice)
      throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(3);
    CountDownLatch never = new CountDownLatch(1);
    TaskTracker worker =
        worker(
                choice,
                context -> {
                  begun.countDown();
                  never.await();
                  return Result.success();
                })
            .shutdownGrace(Duration.ofMillis(50))
            .build();
    worker.start();
    tracker.offer(executions(11, 3));
    begun.await();

    worker.close();

    assertThat(tracker.results())
        .hasSize(3)
        .extracting(ExecutionResult::outcome)
        .containsOnly(Outcome.INTERRUPTED);
    for (Thread thread : runnerThreads) {
      thread.join();
    }
  }

  /** It ignored the interrupt of the stop; the second one comes when the threads are taken back. */
  @ParameterizedTest
  @MethodSource("choices")
  void invocationThatOutlivesItsWorkerIsInterruptedOnceMore(RunnerThreads choice)
      throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    TaskTracker worker =
        worker(
                choice,
                context -> {
                  begun.countDown();
                  for (int interrupts = 0; interrupts < 2; ) {
                    interrupts += Thread.interrupted() ? 1 : 0;
                  }
                  return Result.success();
                })
            .shutdownGrace(Duration.ZERO)
            .interruptGrace(Duration.ofMillis(500))
            .build();
    worker.start();
    tracker.offer(execution(11));
    begun.await();

    worker.close();

    runnerThreads.get(0).join();
    assertThat(onlyResult().outcome()).isEqualTo(Outcome.INTERRUPTED);
  }

  /** As many invocations compute as there are processors, so no carrier is left for another one. */
  @ParameterizedTest
  @MethodSource("choices")
  void invocationBeginsAlthoughOthersHoldEveryCarrier(RunnerThreads choice) {
    int carriers = Runtime.getRuntime().availableProcessors();
    CountDownLatch held = new CountDownLatch(carriers);
    try (TaskTracker worker =
        worker(
                choice,
                context -> {
                  if (context.executionId() < 100) {
                    held.countDown();
                    ThreadKind.spinUntil(over);
                  }
                  return Result.success();
                })
            .slots(carriers + 1)
            .build()) {
      worker.start();
      tracker.offer(executions(11, carriers));
      await().until(() -> held.getCount() == 0);

      tracker.offer(execution(100));

      assertThat(onlyResult().executionId()).isEqualTo(100);
      Thread rescued = runnerThreads.get(runnerThreads.size() - 1);
      assertThat(ThreadKind.isVirtual(rescued)).isFalse();
      assertThat(rescued.getName())
          .startsWith("millrace-job-" + GROUP)
          .contains(ThreadKind.mustBeVirtual(choice) ? "-platform-" : GROUP);
      over.set(true);
    }
  }
}
