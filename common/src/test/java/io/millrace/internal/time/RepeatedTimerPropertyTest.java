package io.millrace.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.LogCapture;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

/** Whatever is done to a repeated timer, in whatever order, these hold. */
class RepeatedTimerPropertyTest {

  enum Step {
    START,
    STOP,
    DESTROY,
    WAKE,
    WAKE_IN_NEXT_RUN,
    STOP_IN_NEXT_RUN,
    FAIL_NEXT_RUN,
    REFUSE,
    ACCEPT,
    RUN_WHAT_IS_QUEUED,
    PASS_A_LITTLE,
    PASS_A_PERIOD
  }

  @Property
  void startedTimerGoesOnForEverAndStoppedOneIsStill(@ForAll @Size(max = 60) List<Step> steps) {
    try (LogCapture quiet = new LogCapture(RepeatedTimer.class)) {
      Scene scene = new Scene();
      steps.forEach(scene::take);
      scene.executor.refuse(false);
      scene.executor.runAll();
      scene.onNextRun = () -> {};
      int before = scene.runs;
      scene.pass(Duration.ofMinutes(2));

      if (scene.started) {
        assertThat(scene.runs).isGreaterThan(before);
        assertThat(scene.timer.pending()).isOne();
      } else {
        assertThat(scene.runs).isEqualTo(before);
        assertThat(scene.timer.pending()).isZero();
      }
      assertThat(quiet.lines()).noneMatch(line -> line.contains("cannot"));
    }
  }

  @Property
  void wakeOfAStartedTimerIsFollowedByARunWithinTheRest(@ForAll @Size(max = 40) List<Step> steps) {
    try (LogCapture quiet = new LogCapture(RepeatedTimer.class)) {
      Scene scene = new Scene();
      steps.stream().filter(step -> step != Step.DESTROY).forEach(scene::take);
      scene.executor.refuse(false);
      scene.repeated.start();
      scene.onNextRun = () -> {};
      int before = scene.runs;

      scene.repeated.wake();
      scene.executor.runAll();
      scene.pass(RepeatedTimer.REST);

      assertThat(scene.runs).isGreaterThan(before);
      assertThat(quiet.lines()).noneMatch(line -> line.contains("cannot"));
    }
  }

  /** One timer with everything it stands on. */
  private static final class Scene {
    final ManualTimer timer;
    final RunQueue executor = new RunQueue();
    final RepeatedTimer repeated;
    Runnable onNextRun = () -> {};
    int runs;

    /** What the steps so far ask for. */
    boolean started;

    boolean destroyed;

    Scene() {
      ManualClock clock = new ManualClock(0);
      timer = new ManualTimer(clock);
      Pace pace = Pace.every(Duration.ofSeconds(1));
      repeated =
          new RepeatedTimer("any", timer, executor, clock, pace, new Random(1), now -> run());
    }

    Object run() {
      runs++;
      Runnable inside = onNextRun;
      onNextRun = () -> {};
      inside.run();
      return null;
    }

    void take(Step step) {
      switch (step) {
        case START -> start();
        case STOP -> stop();
        case DESTROY -> destroy();
        case WAKE -> repeated.wake();
        case WAKE_IN_NEXT_RUN -> onNextRun = repeated::wake;
        case STOP_IN_NEXT_RUN -> onNextRun = this::stop;
        case FAIL_NEXT_RUN ->
            onNextRun =
                () -> {
                  throw new AssertionError("told to fail");
                };
        case REFUSE -> executor.refuse(true);
        case ACCEPT -> executor.refuse(false);
        case RUN_WHAT_IS_QUEUED -> executor.runAll();
        case PASS_A_LITTLE -> pass(Duration.ofMillis(70));
        case PASS_A_PERIOD -> pass(Duration.ofMillis(1100));
      }
    }

    void start() {
      if (!destroyed) {
        repeated.start();
        started = true;
      }
    }

    void stop() {
      repeated.stop();
      started = false;
    }

    void destroy() {
      repeated.destroy();
      started = false;
      destroyed = true;
    }

    void pass(Duration duration) {
      for (int i = 0; i < 10; i++) {
        timer.advance(duration.dividedBy(10));
        executor.runAll();
      }
    }
  }
}
