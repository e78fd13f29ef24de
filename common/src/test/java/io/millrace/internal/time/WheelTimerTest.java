package io.millrace.internal.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.millrace.internal.LogCapture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WheelTimerTest {
  private static final Executor DIRECT = Runnable::run;

  private final Clock clock = new SystemClock();
  private final WheelTimer timer = new WheelTimer("test-wheel");

  @AfterEach
  void closeTimer() {
    timer.close();
  }

  @Test
  void neverEarlyAndOnAnIdleMachineRarelyLate() {
    Random random = new Random(7);
    List<CompletableFuture<Long>> latenesses = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      long delayNanos = 1 + random.nextLong(500_000_000L);
      CompletableFuture<Long> lateness = new CompletableFuture<>();
      latenesses.add(lateness);
      long due = clock.nanoTime() + delayNanos;
      timer.schedule(
          Duration.ofNanos(delayNanos), DIRECT, () -> lateness.complete(clock.nanoTime() - due));
    }

    List<Long> sorted = latenesses.stream().map(CompletableFuture::join).sorted().toList();

    assertThat(sorted.get(0)).isNotNegative();
    // A tick and a wake-up are 2 ms; the bound leaves room for a machine with other work.
    assertThat(sorted.get(sorted.size() / 2)).isLessThan(Duration.ofMillis(250).toNanos());
  }

  @Test
  void delayOfZeroOrLessIsHandedOverByTheCaller() {
    List<Thread> threads = new ArrayList<>();

    timer.schedule(Duration.ZERO, DIRECT, () -> threads.add(Thread.currentThread()));
    Timer.Timeout timeout =
        timer.schedule(Duration.ofDays(-1), DIRECT, () -> threads.add(Thread.currentThread()));

    assertThat(threads).containsExactly(Thread.currentThread(), Thread.currentThread());
    assertThat(timeout.cancel()).isFalse();
  }

  @Test
  void wheelTurnsOnANamedDaemonThread() throws Exception {
    CompletableFuture<Thread> thread = new CompletableFuture<>();
    timer.schedule(Duration.ofMillis(1), DIRECT, () -> thread.complete(Thread.currentThread()));

    assertThat(thread.get(10, TimeUnit.SECONDS))
        .satisfies(t -> assertThat(t.getName()).isEqualTo("test-wheel"))
        .satisfies(t -> assertThat(t.isDaemon()).isTrue());
  }

  @Test
  void cancelledTaskNeverRuns() throws Exception {
    CompletableFuture<Void> cancelled = new CompletableFuture<>();
    CompletableFuture<Void> later = new CompletableFuture<>();
    Timer.Timeout timeout =
        timer.schedule(Duration.ofMillis(50), DIRECT, () -> cancelled.complete(null));

    assertThat(timeout.cancel()).isTrue();
    assertThat(timeout.cancel()).isFalse();
    timer.schedule(Duration.ofMillis(100), DIRECT, () -> later.complete(null));
    later.get(10, TimeUnit.SECONDS);

    assertThat(cancelled).isNotDone();
    await().untilAsserted(() -> assertThat(timer.pending()).isZero());
  }

  @Test
  void refusingOrThrowingExecutorDoesNotStopTheWheel() throws Exception {
    RunQueue refusing = new RunQueue();
    refusing.refuse(true);
    CompletableFuture<Void> after = new CompletableFuture<>();

    try (LogCapture log = new LogCapture(WheelTimer.class)) {
      timer.schedule(Duration.ofMillis(5), refusing, () -> {});
      timer.schedule(
          Duration.ofMillis(6),
          task -> {
            throw new LinkageError("broken executor");
          },
          () -> {});
      timer.schedule(Duration.ofMillis(20), DIRECT, () -> after.complete(null));
      after.get(10, TimeUnit.SECONDS);

      assertThat(log.lines())
          .anySatisfy(line -> assertThat(line).startsWith("WARN test-wheel: ").contains("rejected"))
          .anySatisfy(line -> assertThat(line).startsWith("ERROR test-wheel: "));
    }
  }

  /** An orderly stop leaves tasks on the wheel, of which no operator needs to hear. */
  @Test
  void nothingIsWarnedOfWhenTheExecutorIsShutDown() throws Exception {
    ExecutorService shutDown = Executors.newSingleThreadExecutor();
    shutDown.shutdown();
    CompletableFuture<Void> after = new CompletableFuture<>();

    try (LogCapture log = new LogCapture(WheelTimer.class)) {
      timer.schedule(Duration.ofMillis(5), shutDown, () -> {});
      timer.schedule(Duration.ofMillis(20), DIRECT, () -> after.complete(null));
      after.get(10, TimeUnit.SECONDS);

      assertThat(log.lines()).noneMatch(line -> line.startsWith("WARN"));
    }
  }

  @Test
  void longestDelayIsAccepted() {
    Timer.Timeout timeout = timer.schedule(Duration.ofSeconds(Long.MAX_VALUE), DIRECT, () -> {});

    assertThat(timeout.cancel()).isTrue();
  }

  @Test
  void closedTimerDropsWhatWaitsAndTakesNothingMore() {
    CompletableFuture<Void> dropped = new CompletableFuture<>();
    timer.schedule(Duration.ofMillis(200), DIRECT, () -> dropped.complete(null));

    timer.close();
    timer.close();

    assertThatIllegalStateException()
        .isThrownBy(() -> timer.schedule(Duration.ofMillis(1), DIRECT, () -> {}));
    assertThat(dropped).isNotDone();
  }
}
