package io.millrace.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.millrace.api.Job;
import io.millrace.api.NodeResources;
import io.millrace.api.Outcome;
import io.millrace.jobclient.JobClient;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a test is told that does something wrong, or whose expectation does not hold. */
class MisuseTest {
  @RegisterExtension
  static final MillraceExtension MILLRACE =
      MillraceExtension.with(
          builder -> builder.mostRuns(50),
          millrace ->
              millrace.worker(
                  "orders", worker -> worker.handler("close", context -> Result.success())));

  @Test
  void clockMovesForwardOnly(TestMillrace millrace) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> millrace.advanceTo(millrace.now().minusSeconds(1)))
        .withMessage(
            "the clock shows 2026-01-05T08:00:00Z, which is after 2026-01-05T07:59:59Z: it only"
                + " moves forward");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> millrace.advance(Duration.ofMillis(-1)))
        .withMessageContaining("only moves forward");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> millrace.advance(Duration.ofDays(801)))
        .withMessageContaining("startAt");
  }

  @Test
  void resourcesOfAnotherKindOfNodeAreRefused(TestMillrace millrace) {
    NodeResources ofClient = millrace.clientResources("shop", "client-a");
    NodeResources ofWorker = millrace.workerResources("orders", "worker-a");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> JobClient.builder().resources(ofWorker))
        .withMessageStartingWith("these are not the resources of a client: WorkerResources");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TaskTracker.builder().resources(ofClient))
        .withMessageStartingWith("these are not the resources of a worker: ClientResources");
  }

  @Test
  void unknownHandlerIsNamed(TestMillrace millrace, JobClient client) {
    client.submit(Job.builder("orders", "close:42").handler("clsoe").build());

    assertThatIllegalStateException()
        .isThrownBy(millrace::runDue)
        .withMessageContaining("attempt 1 of orders/close:42")
        .withMessageContaining("clsoe")
        .withMessageContaining("close")
        .withMessageContaining("allowUnknownHandlers()");
  }

  @Test
  void unknownHandlerMayBeExpected() {
    try (TestMillrace millrace = TestMillrace.builder().allowUnknownHandlers().build()) {
      millrace.worker("orders", worker -> worker.handler("close", context -> Result.success()));
      millrace.client().submit(Job.builder("orders", "ship:1").handler("ship").build());
      millrace.advance(Duration.ofSeconds(1));

      millrace.runs("orders", "ship:1").hasNotRun();
      assertThat(millrace.runs("orders", "ship:1").list().get(0).attempts().get(0).outcome())
          .isEqualTo(Outcome.UNKNOWN_HANDLER);
    }
  }

  @Test
  void jobNobodySubmittedIsNamedWithItsLikes(TestMillrace millrace, JobClient client) {
    client.submit(Job.builder("billing", "close:42").after(Duration.ofDays(1)).build());

    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> millrace.runs("orders", "close:42"))
        .withMessage(
            "no job orders/close:42 was submitted; node groups with a job of this task id:"
                + " [billing]");
  }

  @Test
  void jobOfAGroupWithoutWorkerSaysSo(TestMillrace millrace, JobClient client) {
    client.submit(Job.builder("billing", "close:42").build());
    millrace.advance(Duration.ofMinutes(1));

    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> millrace.runs("billing", "close:42").hasRun(1))
        .withMessageContaining("billing/close:42: expected to have run 1 times, but has run 0")
        .withMessageContaining("The tracker says:")
        .withMessageContaining("The test has no worker for billing, only for [orders]");
  }

  @Test
  void failedExpectationTellsWhatHappened(TestMillrace millrace, JobClient client) {
    client.submit(Job.builder("orders", "close:42").handler("close").build());
    millrace.runDue();
    JobRuns runs = millrace.runs("orders", "close:42");

    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> runs.hasRun(2))
        .withMessageContaining("expected to have run 2 times, but has run 1")
        .withMessageContaining("2026-01-05T08:00:00Z SUCCEEDED")
        .withMessageContaining("attempt 1 on worker-1: SUCCESS at 2026-01-05T08:00:00Z");
    List<Runnable> others =
        List.of(
            () -> runs.hasNotRun(),
            () -> runs.hasRunFor(millrace.now().plusDays(1)),
            () -> runs.hasFailed(1),
            () -> runs.hasDied(1),
            () -> runs.hasBeenCancelled(1),
            () -> runs.hasBeenSkipped(1),
            () -> runs.hasAttempts(2),
            () -> runs.hasRetried(1),
            () -> runs.hasOutcomes(Outcome.FAILED),
            () -> runs.hasMessage("closed"),
            () -> runs.hasParam("orderId", "42"));
    assertThat(others)
        .allSatisfy(
            expectation ->
                assertThatExceptionOfType(AssertionError.class).isThrownBy(expectation::run));
  }

  @Test
  void tooMuchToRunIsRefusedWithAdvice(TestMillrace millrace, JobClient client) {
    client.submit(Job.builder("orders", "ticks").handler("close").cron("* * * * * ?").build());

    assertThatIllegalStateException()
        .isThrownBy(() -> millrace.advance(Duration.ofDays(31)))
        .withMessageContaining("handlers have been called 50 times")
        .withMessageContaining("mostRuns");
  }

  @Test
  void assertionThatFailsInAHandlerFailsTheTest(TestMillrace millrace, JobClient client) {
    millrace.worker(
        "checks",
        worker ->
            worker.runner(
                context -> {
                  throw new AssertionError("expected 42 but was 41");
                }));
    client.submit(Job.builder("checks", "check").build());

    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(millrace::runDue)
        .withMessageContaining("an assertion failed in attempt 1 of checks/check")
        .withMessageContaining("expected 42 but was 41");
  }

  @Test
  void handlersWorkAndTestsAdvance(TestMillrace millrace, JobClient client) {
    List<Exception> refused = new ArrayList<>();
    millrace.worker(
        "other",
        worker ->
            worker.runner(
                context -> {
                  try {
                    millrace.advance(Duration.ofSeconds(1));
                  } catch (IllegalStateException refusal) {
                    refused.add(refusal);
                  }
                  return Result.success();
                }));
    client.submit(Job.builder("other", "a").build());
    millrace.runDue();

    assertThat(refused).singleElement().asString().contains("work(duration)");
    assertThatIllegalStateException()
        .isThrownBy(() -> millrace.work(Duration.ofSeconds(1)))
        .withMessageContaining("a test calls advance");
  }

  @Test
  void nothingRunsAfterClose() {
    TestMillrace millrace = TestMillrace.create();
    millrace.close();
    millrace.close();

    assertThatIllegalStateException()
        .isThrownBy(millrace::runDue)
        .withMessageContaining("is closed");
  }
}
