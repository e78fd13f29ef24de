package io.millrace.test.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConductorTest {
  private final Conductor conductor = new Conductor(Duration.ofMillis(1));
  private final List<String> ran = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    conductor.close();
  }

  /** A passage of a number of steps. */
  private final class Steps implements Passage {
    private final int steps;
    private int done;

    private Steps(int steps) {
      this.steps = steps;
    }

    @Override
    public void step() {
      done++;
      ran.add("step " + done);
      if (done == 2) {
        conductor.handlers().execute(() -> ran.add("handler"));
      }
    }

    @Override
    public boolean isOver() {
      return done == steps;
    }

    @Override
    public boolean waitsForHandlers() {
      return true;
    }
  }

  @Test
  void answersComeAfterTheConsequencesOfTasks() {
    conductor.execute(
        () -> {
          conductor.whenSettled().execute(() -> ran.add("answer"));
          conductor.execute(() -> ran.add("consequence"));
        });

    conductor.settle(null);

    assertThat(ran).containsExactly("consequence", "answer");
  }

  @Test
  void timeStandsStillForHandlers() {
    Steps steps = new Steps(3);
    conductor.settle(steps);
    assertThat(ran).containsExactly("step 1", "step 2");

    Runnable handler = conductor.takeHandler();
    assertThat(handler).isNotNull();
    handler.run();
    conductor.settle(steps);

    assertThat(ran).containsExactly("step 1", "step 2", "handler", "step 3");
    assertThat(conductor.takeHandler()).isNull();
  }

  @Test
  void timeWaitsForListeners() {
    Executor listeners = conductor.listeners();
    CompletableFuture<Void> told = new CompletableFuture<>();
    listeners.execute(
        () -> {
          conductor.execute(() -> told.complete(null));
          told.join();
          ran.add("listener");
        });

    conductor.settle(new Steps(1));

    assertThat(ran).containsExactly("listener", "step 1");
  }

  @Test
  void interruptedThreadLetsNoTimePass() {
    Thread.currentThread().interrupt();

    conductor.settle(new Steps(1));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(ran).isEmpty();
  }

  @Test
  void failuresOfCodeReachItsCallerAndFailuresOfTasksTheTest() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                conductor.call(
                    () -> {
                      throw new IllegalArgumentException("no slot");
                    }))
        .withMessage("no slot");

    conductor.execute(
        () -> {
          throw new IllegalStateException("no table");
        });
    assertThatIllegalStateException()
        .isThrownBy(() -> conductor.settle(null))
        .withMessage("the tracker of this test failed")
        .withRootCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void stallIsReportedWhileNobodyLetsTimePass() {
    CompletableFuture<Void> stalled = new CompletableFuture<>();

    conductor.onStall(() -> stalled.complete(null));
    conductor.settle(null);

    stalled.join();
    assertThat(stalled).isCompleted();
  }
}
