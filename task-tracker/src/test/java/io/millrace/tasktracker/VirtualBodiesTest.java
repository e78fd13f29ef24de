package io.millrace.tasktracker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.millrace.common.time.ManualClock;
import io.millrace.common.time.ManualTimer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** By hand, on any JVM: what waits for a carrier waits in a queue until the test runs it. */
class VirtualBodiesTest {
  private final ManualClock clock = new ManualClock(HandDrivenWorker.START);
  private final ManualTimer timer = new ManualTimer(clock);
  private final Queue<Runnable> waitingForCarrier = new ArrayDeque<>();
  private final Queue<Runnable> onPlatform = new ArrayDeque<>();
  private final List<String> ran = new ArrayList<>();
  private final VirtualBodies bodies =
      new VirtualBodies(waitingForCarrier::add, onPlatform::add, timer, clock);

  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(VirtualBodies.class);

  @BeforeEach
  void listen() {
    log.start();
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
    logger.addAppender(log);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(log);
    logger.setLevel(null);
    logger.setAdditive(true);
  }

  @Test
  void bodyThatACarrierTakesUpNeedsNoPlatformThread() {
    bodies.execute(() -> ran.add("body"));
    timer.advance(VirtualBodies.PATIENCE.minusMillis(1));
    waitingForCarrier.remove().run();
    timer.advance(VirtualBodies.PATIENCE);

    assertThat(ran).containsExactly("body");
    assertThat(onPlatform).isEmpty();
    assertThat(log.list).isEmpty();
  }

  @Test
  void bodyThatNoCarrierTakesUpRunsOnceOnAPlatformThread() {
    bodies.execute(() -> ran.add("body"));
    timer.advance(VirtualBodies.PATIENCE);
    onPlatform.remove().run();
    assertThat(ran).containsExactly("body");

    waitingForCarrier.remove().run();
    assertThat(ran).containsExactly("body");
  }

  @Test
  void carrierThatComesWhileThePlatformThreadIsMadeIsFirst() {
    bodies.execute(() -> ran.add("body"));
    timer.advance(VirtualBodies.PATIENCE);
    waitingForCarrier.remove().run();
    onPlatform.remove().run();

    assertThat(ran).containsExactly("body");
    assertThat(log.list).isEmpty();
  }

  @Test
  void bodyThatIsRefusedNeverRuns() {
    VirtualBodies closed =
        new VirtualBodies(
            task -> {
              throw new RejectedExecutionException("closed");
            },
            onPlatform::add,
            timer,
            clock);

    assertThatThrownBy(() -> closed.execute(() -> ran.add("body")))
        .isInstanceOf(RejectedExecutionException.class);
    timer.advance(VirtualBodies.PATIENCE);
    assertThat(onPlatform).isEmpty();
  }

  @Test
  void whileNoCarrierIsFreeBodiesBeginOnPlatformThreadsAtOnce() {
    bodies.execute(() -> ran.add("first"));
    timer.advance(VirtualBodies.PATIENCE);
    bodies.execute(() -> ran.add("too early to know"));
    onPlatform.remove().run();

    bodies.execute(() -> ran.add("second"));
    onPlatform.remove().run();
    assertThat(ran).containsExactly("first", "second");

    waitingForCarrier.remove().run();
    waitingForCarrier.remove().run();
    assertThat(ran).containsExactly("first", "second", "too early to know");

    bodies.execute(() -> ran.add("third"));
    assertThat(onPlatform).isEmpty();
    waitingForCarrier.remove().run();
    assertThat(ran).endsWith("third");
  }

  @Test
  void bodyThatBothThreadsReachForLeavesNothingCounted() {
    bodies.execute(() -> ran.add("body"));
    timer.advance(VirtualBodies.PATIENCE);
    waitingForCarrier.remove().run();
    onPlatform.remove().run();

    bodies.execute(() -> ran.add("next"));
    assertThat(waitingForCarrier).hasSize(1);
    assertThat(onPlatform).isEmpty();
  }

  @Test
  void heldCarriersAreToldOnceAMinute() {
    for (int second = 0; second < 90; second++) {
      bodies.execute(() -> ran.add("body"));
      timer.advance(Duration.ofSeconds(1));
      onPlatform.remove().run();
      waitingForCarrier.remove().run();
    }

    assertThat(ran).hasSize(90);
    assertThat(log.list)
        .hasSize(2)
        .allMatch(event -> event.getFormattedMessage().contains("every carrier"));
  }
}
