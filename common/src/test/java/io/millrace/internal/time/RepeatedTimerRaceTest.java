package io.millrace.internal.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.internal.LogCapture;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A repeated timer on the real wheel, with real threads pulling at it. */
@Timeout(120)
class RepeatedTimerRaceTest {
  private static final Pace NEVER_BY_ITSELF = Pace.exactly(Duration.ofDays(1));
  private static final Pace OFTEN = Pace.exactly(Duration.ofMillis(1));

  private final WheelTimer wheel = new WheelTimer("race-wheel");
  private final ExecutorService workers = Executors.newFixedThreadPool(4);
  private final ExecutorService callers = Executors.newFixedThreadPool(4);

  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger overlaps = new AtomicInteger();
  private final AtomicInteger runs = new AtomicInteger();

  @AfterEach
  void closeAll() throws Exception {
    callers.shutdownNow();
    workers.shutdownNow();
    wheel.close();
    assertThat(workers.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void everyWakeIsSeenByARunThatBeganAfterIt() {
    AtomicLong asked = new AtomicLong();
    AtomicLong seen = new AtomicLong();
    RepeatedTimer repeated = repeated(NEVER_BY_ITSELF, () -> seen.set(asked.get()));
    repeated.start();

    for (int round = 0; round < 500; round++) {
      CompletableFuture<?>[] wakes = new CompletableFuture<?>[4];
      for (int i = 0; i < wakes.length; i++) {
        wakes[i] =
            CompletableFuture.runAsync(
                () -> {
                  asked.incrementAndGet();
                  repeated.wake();
                },
                callers);
      }
      CompletableFuture.allOf(wakes).join();
      await()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofNanos(50_000))
          .until(() -> seen.get() == asked.get());
    }

    assertThat(overlaps).hasValue(0);
    assertThat(runs.get()).isPositive().isLessThanOrEqualTo(2000);
  }

  @Test
  void neverOverlapsItselfUnderWakesStopsAndStarts() {
    RepeatedTimer repeated = repeated(OFTEN, Thread::yield);
    repeated.start();
    AtomicBoolean done = new AtomicBoolean();
    List<CompletableFuture<Void>> pullers =
        IntStream.range(0, 4)
            .mapToObj(seed -> CompletableFuture.runAsync(() -> pull(repeated, seed, done), callers))
            .toList();

    await().atMost(Duration.ofSeconds(60)).until(() -> runs.get() > 3_000);
    done.set(true);
    pullers.forEach(CompletableFuture::join);

    repeated.start();
    int before = runs.get();
    await().until(() -> runs.get() > before + 10);
    repeated.destroy().join();
    assertThat(running).hasValue(0);
    assertThat(overlaps).hasValue(0);
  }

  @Test
  void noRunBeginsOnceTheStopIsComplete() {
    RepeatedTimer repeated = repeated(OFTEN, Thread::yield);
    for (int round = 0; round < 300; round++) {
      repeated.start();
      repeated.wake();
      int before = runs.get();
      await()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofNanos(50_000))
          .until(() -> runs.get() > before);

      repeated.stop().join();

      int atStop = runs.get();
      assertThat(running).hasValue(0);
      repeated.wake();
      assertThat(repeated.state()).isEqualTo(RepeatedTimerState.STOPPED);
      assertThat(runs).hasValue(atStop);
    }
  }

  @Test
  void survivesErrorsOnTheWheel() {
    try (LogCapture log = new LogCapture(RepeatedTimer.class)) {
      RepeatedTimer repeated =
          repeated(
              OFTEN,
              () -> {
                if (runs.get() <= 4) {
                  throw new NoClassDefFoundError("broken");
                }
              });
      repeated.start();

      await().until(() -> runs.get() > 10);
      repeated.destroy().join();

      assertThat(log.lines()).filteredOn(line -> line.startsWith("ERROR")).hasSize(4);
    }
  }

  private RepeatedTimer repeated(Pace pace, Runnable work) {
    return new RepeatedTimer(
        "race", wheel, workers, new SystemClock(), pace, new Random(1), now -> run(work));
  }

  private Object run(Runnable work) {
    if (running.incrementAndGet() != 1) {
      overlaps.incrementAndGet();
    }
    try {
      runs.incrementAndGet();
      work.run();
      return null;
    } finally {
      running.decrementAndGet();
    }
  }

  private static void pull(RepeatedTimer repeated, int seed, AtomicBoolean done) {
    Random random = new Random(seed);
    while (!done.get()) {
      switch (random.nextInt(10)) {
        case 0 -> repeated.stop();
        case 1, 2 -> repeated.start();
        default -> repeated.wake();
      }
    }
  }
}
