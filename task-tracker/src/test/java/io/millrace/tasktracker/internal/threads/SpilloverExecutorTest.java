package io.millrace.tasktracker.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.internal.LogCapture;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** By hand, on any JVM: what waits for a carrier waits in a queue until the test runs it. */
class SpilloverExecutorTest {
  private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
  private final ManualTimer timer = new ManualTimer(clock);
  private final Queue<Runnable> waitingForCarrier = new ArrayDeque<>();
  private final Queue<Runnable> onPlatform = new ArrayDeque<>();
  private final List<String> ran = new ArrayList<>();
  private final SpilloverExecutor invocations =
      new SpilloverExecutor(waitingForCarrier::add, onPlatform::add, timer, clock);

  private final LogCapture log = new LogCapture(SpilloverExecutor.class);

  @AfterEach
  void stopListening() {
    log.close();
  }

  @Test
  void invocationThatACarrierTakesUpNeedsNoPlatformThread() {
    invocations.execute(() -> ran.add("invocation"));
    timer.advance(SpilloverExecutor.PATIENCE.minusMillis(1));
    waitingForCarrier.remove().run();
    timer.advance(SpilloverExecutor.PATIENCE);

    assertThat(ran).containsExactly("invocation");
    assertThat(onPlatform).isEmpty();
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void invocationThatNoCarrierTakesUpRunsOnceOnAPlatformThread() {
    invocations.execute(() -> ran.add("invocation"));
    timer.advance(SpilloverExecutor.PATIENCE);
    onPlatform.remove().run();
    assertThat(ran).containsExactly("invocation");

    waitingForCarrier.remove().run();
    assertThat(ran).containsExactly("invocation");
  }

  @Test
  void carrierThatComesWhileThePlatformThreadIsMadeIsFirst() {
    invocations.execute(() -> ran.add("invocation"));
    timer.advance(SpilloverExecutor.PATIENCE);
    waitingForCarrier.remove().run();
    onPlatform.remove().run();

    assertThat(ran).containsExactly("invocation");
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void invocationThatIsRefusedNeverRuns() {
    SpilloverExecutor closed =
        new SpilloverExecutor(
            task -> {
              throw new RejectedExecutionException("closed");
            },
            onPlatform::add,
            timer,
            clock);

    assertThatThrownBy(() -> closed.execute(() -> ran.add("invocation")))
        .isInstanceOf(RejectedExecutionException.class);
    timer.advance(SpilloverExecutor.PATIENCE);
    assertThat(onPlatform).isEmpty();
  }

  @Test
  void whileNoCarrierIsFreeInvocationsBeginOnPlatformThreadsAtOnce() {
    invocations.execute(() -> ran.add("first"));
    timer.advance(SpilloverExecutor.PATIENCE);
    invocations.execute(() -> ran.add("too early to know"));
    onPlatform.remove().run();

    invocations.execute(() -> ran.add("second"));
    onPlatform.remove().run();
    assertThat(ran).containsExactly("first", "second");

    waitingForCarrier.remove().run();
    waitingForCarrier.remove().run();
    assertThat(ran).containsExactly("first", "second", "too early to know");

    invocations.execute(() -> ran.add("third"));
    assertThat(onPlatform).isEmpty();
    waitingForCarrier.remove().run();
    assertThat(ran).endsWith("third");
  }

  @Test
  void invocationThatBothThreadsReachForLeavesNothingCounted() {
    invocations.execute(() -> ran.add("invocation"));
    timer.advance(SpilloverExecutor.PATIENCE);
    waitingForCarrier.remove().run();
    onPlatform.remove().run();

    invocations.execute(() -> ran.add("next"));
    assertThat(waitingForCarrier).hasSize(1);
    assertThat(onPlatform).isEmpty();
  }

  @Test
  void heldCarriersAreToldOnceAMinute() {
    for (int second = 0; second < 90; second++) {
      invocations.execute(() -> ran.add("invocation"));
      timer.advance(Duration.ofSeconds(1));
      onPlatform.remove().run();
      waitingForCarrier.remove().run();
    }

    assertThat(ran).hasSize(90);
    assertThat(log.lines()).hasSize(2).allMatch(line -> line.contains("every carrier"));
  }
}
