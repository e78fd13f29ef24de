package io.millrace.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.internal.LogCapture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ServiceGroupTest {
  private static final Duration PATIENT = Duration.ofSeconds(30);
  private static final Duration IMPATIENT = Duration.ofMillis(50);

  private final List<String> events = new CopyOnWriteArrayList<>();
  private final ExecutorService closer =
      Executors.newCachedThreadPool(NamedThreads.daemon("test-closer"));
  private final LogCapture log = new LogCapture(ServiceGroup.class);

  @AfterEach
  void closeAll() {
    log.close();
    closer.shutdownNow();
  }

  @Test
  void startsInOrderAndClosesInReverse() {
    ServiceGroup group = group(PATIENT);
    addThree(group);

    group.start();
    assertThat(group.state()).isEqualTo(LifecycleState.STARTED);
    group.close();

    assertThat(events).containsExactly("+a", "+b", "+c", "-c", "-b", "-a");
    assertThat(group.state()).isEqualTo(LifecycleState.CLOSED);
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void closingTwiceClosesOnce() {
    ServiceGroup group = group(PATIENT);
    addThree(group);
    group.start();
    group.close();
    group.close();

    assertThat(events).hasSize(6);
  }

  @Test
  void failedStartClosesWhatWasStartedAndIsRethrown() {
    ServiceGroup group = group(PATIENT);
    IllegalArgumentException failure = new IllegalArgumentException("port taken");
    add(group, "a");
    add(group, "b");
    group.add("c", failing(failure), () -> events.add("-c"));
    add(group, "d");

    assertThatThrownBy(group::start).isSameAs(failure);

    assertThat(events).containsExactly("+a", "+b", "-b", "-a");
    assertThat(group.state()).isEqualTo(LifecycleState.CLOSED);
    group.close();
    assertThat(events).hasSize(4);
  }

  @Test
  void errorWhileStartingClosesToo() {
    ServiceGroup group = group(PATIENT);
    add(group, "a");
    group.add(
        "b",
        () -> {
          throw new NoClassDefFoundError("b");
        },
        () -> {});

    assertThatThrownBy(group::start).isInstanceOf(NoClassDefFoundError.class);
    assertThat(events).containsExactly("+a", "-a");
  }

  @Test
  void closeWithoutStartClosesOnlyWhatWasOpen() {
    ServiceGroup group = group(PATIENT);
    group.addOpen("wheel", () -> events.add("-wheel"));
    addThree(group);
    group.close();

    assertThat(events).containsExactly("-wheel");
    assertThatIllegalStateException().isThrownBy(group::start).withMessageContaining("CLOSED");
  }

  @Test
  void failedStartAlsoClosesWhatWasOpenBehindIt() {
    ServiceGroup group = group(PATIENT);
    group.add("a", failing(new IllegalStateException("broken")), () -> events.add("-a"));
    group.addOpen("pool", () -> events.add("-pool"));

    assertThatThrownBy(group::start).hasMessage("broken");
    assertThat(events).containsExactly("-pool");
  }

  @Test
  void groupStartsOnlyOnce() {
    ServiceGroup group = group(PATIENT);
    group.start();

    assertThatIllegalStateException().isThrownBy(group::start).withMessageContaining("STARTED");
    assertThatIllegalStateException()
        .isThrownBy(() -> add(group, "late"))
        .withMessageContaining("late");
  }

  @Test
  void failingCloseDoesNotStopTheOthers() {
    ServiceGroup group = group(PATIENT);
    add(group, "a");
    group.add("b", () -> {}, failing(new IllegalStateException("broken")));
    add(group, "c");
    group.start();
    group.close();

    assertThat(events).containsExactly("+a", "+c", "-c", "-a");
    assertThat(log.lines())
        .containsExactly("ERROR node: closing b failed", "WARN node: closed, except for [b]");
  }

  @Test
  void hangingCloseIsLeftBehindAndNamed() {
    CountDownLatch never = new CountDownLatch(1);
    ServiceGroup group = group(IMPATIENT);
    add(group, "a");
    group.add("b", () -> {}, () -> awaitQuietly(never));
    group.start();
    group.close();

    assertThat(events).containsExactly("+a", "-a");
    assertThat(log.lines())
        .containsExactly(
            "WARN node: b was not closed within 50 ms", "WARN node: closed, except for [b]");
    never.countDown();
  }

  @Test
  void refusingCloserIsLogged() {
    ServiceGroup group =
        new ServiceGroup(
            "node",
            PATIENT,
            task -> {
              throw new RejectedExecutionException("full");
            });
    add(group, "a");
    group.start();
    group.close();

    assertThat(group.state()).isEqualTo(LifecycleState.CLOSED);
    assertThat(log.lines()).contains("ERROR node: could not start to close a");
  }

  @Test
  void interruptedCloserStillBeginsToCloseEverything() throws Exception {
    CountDownLatch bothClosed = new CountDownLatch(2);
    ServiceGroup group = group(PATIENT);
    group.add("a", () -> {}, bothClosed::countDown);
    group.add("b", () -> {}, bothClosed::countDown);
    group.start();

    Thread.currentThread().interrupt();
    group.close();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(bothClosed.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void closeDuringTheStartEndsItAndWaitsForItsCleaningUp() throws Exception {
    CountDownLatch inStart = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    ServiceGroup group = group(PATIENT);
    add(group, "a");
    group.add(
        "b",
        () -> {
          inStart.countDown();
          awaitQuietly(goOn);
          events.add("+b");
        },
        () -> events.add("-b"));
    add(group, "c");
    CompletableFuture<Void> start = CompletableFuture.runAsync(group::start, closer);
    inStart.await();
    CompletableFuture<Void> close = CompletableFuture.runAsync(group::close, closer);
    assertThat(close).isNotDone();
    await().until(() -> group.state() == LifecycleState.CLOSING);

    goOn.countDown();
    close.get(30, TimeUnit.SECONDS);

    assertThat(events).containsExactly("+a", "+b", "-b", "-a");
    assertThat(start)
        .failsWithin(Duration.ofSeconds(30))
        .withThrowableThat()
        .withMessageContaining("closed while it started");
  }

  @Test
  void executorFinishesItsTasksBeforeItIsClosed() {
    ExecutorService pool = Executors.newSingleThreadExecutor(NamedThreads.daemon("test-pool"));
    ServiceGroup group = group(PATIENT).addExecutor("pool", pool);
    pool.execute(() -> events.add("first"));
    pool.execute(() -> events.add("second"));
    group.close();

    assertThat(events).containsExactly("first", "second");
    assertThat(pool.isTerminated()).isTrue();
  }

  @Test
  void executorThatDoesNotFinishIsInterruptedAndSaysSo() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch running = new CountDownLatch(1);
    ExecutorService pool = Executors.newSingleThreadExecutor(NamedThreads.daemon("test-pool"));
    ServiceGroup group = group(Duration.ofMillis(400)).addExecutor("pool", pool);
    pool.execute(
        () -> {
          running.countDown();
          awaitQuietly(never);
        });
    pool.execute(() -> events.add("dropped"));
    running.await();

    try (LogCapture closing = new LogCapture(ExecutorClosing.class)) {
      group.close();
      assertThat(closing.lines())
          .containsExactly(
              "WARN node/pool: interrupted the running tasks and dropped 1 waiting tasks");
    }

    assertThat(pool.isTerminated()).isTrue();
    assertThat(events).isEmpty();
  }

  private ServiceGroup group(Duration patience) {
    return new ServiceGroup("node", patience, closer);
  }

  private void addThree(ServiceGroup group) {
    add(group, "a");
    add(group, "b");
    add(group, "c");
  }

  private void add(ServiceGroup group, String name) {
    group.add(name, () -> events.add("+" + name), () -> events.add("-" + name));
  }

  private static Runnable failing(RuntimeException failure) {
    return () -> {
      throw failure;
    };
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
