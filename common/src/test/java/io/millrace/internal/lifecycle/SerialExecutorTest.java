package io.millrace.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.internal.LogCapture;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class SerialExecutorTest {
  private final List<String> ran = new ArrayList<>();
  private final Deque<Runnable> below = new ArrayDeque<>();
  private boolean refuses;
  private boolean hasNoThread;
  private final SerialExecutor serial = new SerialExecutor("test", this::takeBelow);

  private void takeBelow(Runnable work) {
    if (refuses) {
      throw new RejectedExecutionException("closed");
    }
    if (hasNoThread) {
      throw new OutOfMemoryError("unable to create native thread");
    }
    below.add(work);
  }

  private void runBelow() {
    while (!below.isEmpty()) {
      below.remove().run();
    }
  }

  @Test
  void tasksRunInTheOrderTheyCameOneRunOfTheExecutorForAll() {
    serial.execute(() -> ran.add("first"));
    serial.execute(() -> ran.add("second"));

    assertThat(below).hasSize(1);
    runBelow();
    assertThat(ran).containsExactly("first", "second");
  }

  @Test
  void taskThatIsGivenByARunningOneWaitsForItsEndEvenWithoutThreads() {
    SerialExecutor direct = new SerialExecutor("test", Runnable::run);

    direct.execute(
        () -> {
          direct.execute(() -> ran.add("inner"));
          ran.add("outer");
        });

    assertThat(ran).containsExactly("outer", "inner");
  }

  @Test
  void taskThatThrowsIsLoggedAndTheNextOneRuns() {
    try (LogCapture log = new LogCapture(SerialExecutor.class)) {
      serial.execute(
          () -> {
            throw new AssertionError("broken");
          });
      serial.execute(() -> ran.add("next"));
      runBelow();

      assertThat(log.lines()).containsExactly("ERROR test: a task failed");
    }
    assertThat(ran).containsExactly("next");
  }

  @Test
  void taskForWhichNoThreadCanBeMadeIsToldAndTheNextOneRuns() {
    hasNoThread = true;
    assertThatThrownBy(() -> serial.execute(() -> ran.add("without a thread")))
        .isInstanceOf(OutOfMemoryError.class);

    hasNoThread = false;
    serial.execute(() -> ran.add("next"));
    runBelow();

    assertThat(ran).containsExactly("next");
  }

  @Test
  void taskWhoseFailureCannotBeLoggedIsFollowedByTheNext() {
    serial.execute(
        () -> {
          throw new IllegalStateException() {
            @Override
            public String getMessage() {
              throw new OutOfMemoryError("no words left");
            }
          };
        });
    serial.execute(() -> ran.add("next"));
    runBelow();

    assertThat(ran).containsExactly("next");
  }

  @Test
  void refusedTaskIsToldAndLeavesNothingBehind() {
    refuses = true;
    assertThatThrownBy(() -> serial.execute(() -> ran.add("refused")))
        .isInstanceOf(RejectedExecutionException.class);

    refuses = false;
    serial.execute(() -> ran.add("taken"));
    runBelow();

    assertThat(ran).containsExactly("taken");
  }

  @Test
  void closedOneForgetsWhatWaitsAndWhatComesLater() {
    serial.execute(() -> ran.add("waiting"));
    serial.close();
    serial.execute(() -> ran.add("late"));
    runBelow();

    assertThat(ran).isEmpty();
  }
}
