package io.millrace.tasktracker;

import static io.millrace.tasktracker.HandDrivenWorker.GROUP;
import static io.millrace.tasktracker.HandDrivenWorker.execution;
import static io.millrace.tasktracker.HandDrivenWorker.executions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Outcome;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.LogLine;
import io.millrace.internal.rpc.RoleTokens;
import io.millrace.internal.rpc.RpcServerConfig;
import io.millrace.internal.rpc.Token;
import io.millrace.internal.rpc.netty.NettyRpcServer;
import io.millrace.internal.time.SystemClock;
import io.millrace.internal.time.WheelTimer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A whole worker with threads of its own, against a small tracker over TCP. */
@Timeout(60)
class TaskTrackerTest {
  private static final String TOKEN = "a token of the workers";

  private final WheelTimer timer = new WheelTimer("tracker-timer");
  private final ExecutorService trackerThreads = Executors.newFixedThreadPool(2);
  private final PocketTracker tracker = new PocketTracker(timer, trackerThreads);
  private final NettyRpcServer server = newServer();
  private final NettyRpcServer otherServer = newServer();
  private final String address = server.start(tracker, session -> {});
  private final String otherAddress = otherServer.start(tracker, session -> {});

  private NettyRpcServer newServer() {
    RoleTokens tokens = new RoleTokens(Token.of("a token of the clients"), Token.of(TOKEN));
    return new NettyRpcServer(
        RpcServerConfig.onLoopback(0).withTokens(tokens), "tracker-1", timer, new SystemClock(), 1);
  }

  @AfterEach
  void closeTracker() {
    server.close();
    otherServer.close();
    timer.close();
    trackerThreads.shutdownNow();
  }

  private TaskTrackerBuilder worker() {
    return TaskTracker.builder().trackers(address).token(TOKEN).nodeGroup(GROUP);
  }

  private static Set<String> workerThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(name -> name.startsWith("millrace-worker") || name.startsWith("millrace-job"))
        .collect(Collectors.toSet());
  }

  @Test
  void everyJobRunsOnceAndNeverMoreAtATimeThanThereAreSlots() {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger runs = new AtomicInteger();
    JobRunner runner =
        context -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          context.logger().info("runs {}", context.taskId());
          runs.incrementAndGet();
          running.decrementAndGet();
          return Result.success();
        };
    try (TaskTracker worker = worker().slots(8).runner(runner).build()) {
      worker.start();
      for (int i = 0; i < 100; i++) {
        tracker.offer(executions(1 + 50L * i, 50));
      }

      await().atMost(Duration.ofSeconds(30)).until(() -> tracker.results().size() == 5_000);
    }

    assertThat(runs).hasValue(5_000);
    assertThat(most.get()).isBetween(1, 8);
    assertThat(tracker.results())
        .extracting(ExecutionResult::outcome)
        .containsOnly(Outcome.SUCCESS);
    for (long id = 1; id <= 5_000; id++) {
      assertThat(tracker.linesOf(id)).extracting(LogLine::text).containsExactly("runs task-" + id);
    }
  }

  @Test
  void closeWaitsForInvocationsAndLeavesNoThread() {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    TaskTracker worker =
        worker()
            .runner(
                context -> {
                  begun.countDown();
                  go.await();
                  return Result.success();
                })
            .build();
    worker.start();
    tracker.offer(execution(11));
    await().until(() -> begun.getCount() == 0);

    var closing = worker.closeAsync();
    assertThat(closing).isNotDone();
    go.countDown();
    worker.close();

    assertThat(closing).isCompleted();
    assertThat(tracker.results())
        .extracting(ExecutionResult::outcome)
        .containsExactly(Outcome.SUCCESS);
    await().untilAsserted(() -> assertThat(workerThreads()).isEmpty());
  }

  @Test
  void invocationThatOutlivesTheGraceIsInterrupted() {
    CountDownLatch begun = new CountDownLatch(1);
    TaskTracker worker =
        worker()
            .shutdownGrace(Duration.ofMillis(50))
            .runner(
                context -> {
                  begun.countDown();
                  new CountDownLatch(1).await();
                  return null;
                })
            .build();
    worker.start();
    tracker.offer(execution(11));
    await().until(() -> begun.getCount() == 0);

    worker.close();

    assertThat(tracker.results())
        .extracting(ExecutionResult::outcome)
        .containsExactly(Outcome.INTERRUPTED);
  }

  @Test
  void workerWhoseTrackerIsGoneReportsToAnother() {
    CountDownLatch begun = new CountDownLatch(4);
    CountDownLatch go = new CountDownLatch(1);
    try (TaskTracker worker =
        worker()
            .trackers(address, otherAddress)
            .runner(
                context -> {
                  begun.countDown();
                  go.await();
                  return Result.success();
                })
            .build()) {
      worker.start();
      tracker.offer(executions(11, 4));
      await().until(() -> begun.getCount() == 0);
      server.close();
      go.countDown();

      await().atMost(Duration.ofSeconds(20)).until(() -> tracker.results().size() == 4);
    }
    assertThat(tracker.results())
        .extracting(ExecutionResult::outcome)
        .containsOnly(Outcome.SUCCESS);
  }

  @Test
  void jobThatFallsDueWhileAPullIsParkedStartsAtOnce() {
    try (TaskTracker worker = worker().runner(context -> Result.success()).build()) {
      worker.start();
      await().until(() -> !tracker.pulls().isEmpty());

      tracker.offer(execution(11));

      await().atMost(Duration.ofMillis(900)).until(() -> tracker.results().size() == 1);
    }
  }

  @Test
  void closingTwiceAndClosingBeforeTheStartAreHarmless() {
    TaskTracker started = worker().runner(context -> null).build();
    started.start();
    started.close();
    started.close();
    TaskTracker neverStarted = worker().runner(context -> null).build();
    neverStarted.close();

    assertThatIllegalStateException().isThrownBy(started::start).withMessageContaining("CLOSED");
    assertThatIllegalStateException().isThrownBy(neverStarted::start);
    assertThat(List.of(started.closeAsync().isDone(), neverStarted.closeAsync().isDone()))
        .containsOnly(true);
  }
}
