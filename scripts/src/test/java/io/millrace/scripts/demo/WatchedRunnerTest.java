package io.millrace.scripts.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.internal.time.ManualClock;
import io.millrace.tasktracker.JobRunner;
import io.millrace.tasktracker.Result;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WatchedRunnerTest {
  private final ManualClock clock =
      new ManualClock(FakeJobContext.PLANNED.plusMillis(1_250).toEpochMilli());
  private final List<Attempt> ended = new ArrayList<>();

  @Test
  void tellsHowLateTheAttemptStartedAndHowItEnded() throws Throwable {
    watched(
            context -> {
              clock.advance(Duration.ofMillis(40));
              return Result.failed("no such order");
            })
        .run(new FakeJobContext(Map.of(), 3));

    Attempt attempt = ended.get(0);
    assertThat(attempt.lateness()).isEqualTo(Duration.ofMillis(250));
    assertThat(attempt.number()).isEqualTo(3);
    assertThat(attempt.outcome()).isEqualTo("FAILED");
    assertThat(attempt.message()).isEqualTo("no such order");
    assertThat(Duration.between(attempt.startedAt(), attempt.endedAt()))
        .isEqualTo(Duration.ofMillis(40));
  }

  @Test
  void resultOfNullCountsAsSuccess() throws Throwable {
    watched(context -> null).run(new FakeJobContext(Map.of(), 1));

    assertThat(ended.get(0).outcome()).isEqualTo("SUCCESS");
  }

  @Test
  void exceptionIsToldAndThrownOn() {
    JobRunner runner =
        watched(
            context -> {
              throw new IllegalStateException("broken");
            });

    assertThatThrownBy(() -> runner.run(new FakeJobContext(Map.of(), 1)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(ended.get(0).outcome()).isEqualTo("EXCEPTION");
    assertThat(ended.get(0).message()).contains("broken");
  }

  @Test
  void printerSaysStartAndEndInALineEach() throws Throwable {
    StringWriter out = new StringWriter();
    AttemptPrinter printer = new AttemptPrinter(new PrintWriter(out));

    new WatchedRunner(context -> Result.success("done"), "w", clock, printer)
        .run(new FakeJobContext(Map.of(), 3));

    assertThat(out.toString().lines())
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).contains("orders/close:42", "execution 7", "3/4"));
    assertThat(out.toString()).contains("250 ms late", "SUCCESS after 0 ms: done");
  }

  private JobRunner watched(JobRunner runner) {
    return new WatchedRunner(runner, "w", clock, ended::add);
  }
}
