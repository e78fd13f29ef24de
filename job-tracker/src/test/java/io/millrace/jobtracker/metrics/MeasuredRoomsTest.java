package io.millrace.jobtracker.metrics;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the rooms' work does to the meters. */
class MeasuredRoomsTest extends ServiceTest {
  private static final Duration CLAIM_AHEAD = Duration.ofMillis(20);

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private TrackerMetrics metrics;
  private HandDrivenTracker measured;
  private HandDrivenWorker worker;
  private Runnable stopCounting;

  @BeforeEach
  void openMeasuredTracker() {
    metrics = TrackerMetrics.beside(meters);
    stopCounting = stores.transactions().listen(metrics);
    measured = new HandDrivenTracker(2, stores, time, CLAIM_AHEAD, metrics);
    worker = measured.worker("worker-1");
  }

  @AfterEach
  void closeMeters() {
    stopCounting.run();
    metrics.close();
  }

  @Test
  void everyTriggerIsPlannedOnceHoweverOftenItComesBack() {
    measured.submit(job("a").build(), job("b").build());
    measured.submit(job("a").build());
    measured.submit(job("every").every(Duration.ofMinutes(5)).build());
    assertThat(planned()).as("two one-shots, a duplicate, ten minutes ahead").isEqualTo(2 + 3);

    Assignment first = worker.takeOne();
    worker.later(first, Duration.ZERO);
    worker.succeed(worker.takeOne());

    assertThat(planned()).isEqualTo(5);
  }

  @Test
  void executionsAreCountedByHowTheyEnd() {
    measured.submit(
        job("fine").handler("mailer").build(),
        job("bad").build(),
        job("worse").retry(RetryPolicy.NONE).build());
    List<Assignment> taken = worker.take(3);
    assertThat(taken).hasSize(3);
    assertThat(counter("millrace.executions.claimed")).isEqualTo(3);

    worker.succeed(of(taken, "fine"));
    worker.report(of(taken, "bad"), Outcome.EXCEPTION);
    worker.report(of(taken, "worse"), Outcome.EXCEPTION);

    assertThat(ended("mailer", "succeeded")).isEqualTo(1);
    assertThat(ended("default", "retried")).isEqualTo(1);
    assertThat(ended("default", "dead")).isEqualTo(1);
    assertThat(triggersEnded("succeeded")).isEqualTo(1);
    assertThat(triggersEnded("dead")).isEqualTo(1);
    assertThat(triggersEnded("failed")).as("registered before the first").isZero();
  }

  @Test
  void reportThatIsRepeatedCountsOnce() {
    measured.submit(job("fine").build());
    Assignment taken = worker.takeOne();

    worker.succeed(taken);
    worker.succeed(taken);

    assertThat(ended("default", "succeeded")).isEqualTo(1);
    assertThat(runTime("default").count()).isEqualTo(1);
  }

  @Test
  void triggersThatNeverRanEndWithoutAnExecution() {
    measured.submit(job("a").build());
    measured.cancel("a");
    measured.submit(
        job("every").every(Duration.ofSeconds(10)).overlap(OverlapPolicy.skip()).build());
    time.pass(Duration.ofSeconds(15));
    List<Assignment> running = worker.take(5);

    assertThat(running).hasSize(1);
    assertThat(triggersEnded("cancelled")).isEqualTo(1);
    assertThat(triggersEnded("skipped")).isEqualTo(1);
    assertThat(meters.find("millrace.executions.ended").counters()).isEmpty();
  }

  @Test
  void latenessIsTheTimeFromDueToHandedOut() {
    measured.submit(job("a").build());
    time.pass(Duration.ofMillis(750));

    worker.takeOne();

    assertThat(lateness().count()).isEqualTo(1);
    assertThat(lateness().totalTime(TimeUnit.MILLISECONDS)).isEqualTo(750);
  }

  @Test
  void whatIsClaimedAheadIsNotLateAndIsHandedOutOnce() {
    measured.submit(job("soon").at(inMillis(CLAIM_AHEAD.toMillis())).build());
    measured.load();
    var reply = worker.pull(1);
    assertThat(counter("millrace.executions.claimed")).isEqualTo(1);
    assertThat(lateness().count()).as("not handed out yet").isZero();

    time.pass(CLAIM_AHEAD);

    assertThat(worker.receive(reply)).hasSize(1);
    assertThat(lateness().count()).isEqualTo(1);
    assertThat(lateness().totalTime(TimeUnit.MILLISECONDS)).isZero();
  }

  @Test
  void runTimeIsWhatTheWorkersClockSays() {
    measured.submit(job("a").handler("mailer").build(), job("b").handler("mailer").build());
    List<Assignment> taken = worker.take(2);
    Assignment ran = taken.get(0);
    Assignment neverBegan = taken.get(1);

    worker.report(
        new ExecutionResult(
            ran.executionId(),
            Outcome.SUCCESS,
            null,
            null,
            List.of(),
            time.now().minusSeconds(100),
            time.now().minusSeconds(97)));
    worker.report(
        new ExecutionResult(
            neverBegan.executionId(),
            Outcome.INTERRUPTED,
            null,
            null,
            List.of(),
            null,
            time.now()));

    assertThat(runTime("mailer").count()).isEqualTo(1);
    assertThat(runTime("mailer").totalTime(TimeUnit.SECONDS)).isEqualTo(3);
  }

  @Test
  void eachTransactionSaysHowManyItHeld() {
    measured.submit(job("a").build(), job("b").build(), job("c").build());
    List<Assignment> taken = worker.take(3);
    worker.reportAll(
        taken.stream()
            .map(each -> worker.result(each.executionId(), Outcome.SUCCESS, null))
            .toArray(ExecutionResult[]::new));

    for (String operation : List.of("submit", "claim", "complete")) {
      DistributionSummary items =
          meters.get("millrace.commit.items").tag("operation", operation).summary();
      assertThat(items.count()).as(operation).isEqualTo(1);
      assertThat(items.totalAmount()).as(operation).isEqualTo(3);
      assertThat(meters.get("millrace.commit.time").tag("operation", operation).timer().count())
          .as(operation)
          .isEqualTo(1);
    }
  }

  private static Assignment of(List<Assignment> taken, String taskId) {
    return taken.stream().filter(each -> each.taskId().equals(taskId)).findFirst().orElseThrow();
  }

  private double planned() {
    return counter("millrace.triggers.planned");
  }

  private double counter(String name) {
    return meters.get(name).tag("group", GROUP).counter().count();
  }

  private double ended(String handler, String outcome) {
    Counter counter =
        meters
            .find("millrace.executions.ended")
            .tags("group", GROUP, "handler", handler, "outcome", outcome)
            .counter();
    return counter == null ? 0 : counter.count();
  }

  private double triggersEnded(String outcome) {
    return meters
        .get("millrace.triggers.ended")
        .tags("group", GROUP, "outcome", outcome)
        .counter()
        .count();
  }

  private Timer lateness() {
    return meters.get("millrace.lateness").tag("group", GROUP).timer();
  }

  private Timer runTime(String handler) {
    return meters.get("millrace.run.time").tags("group", GROUP, "handler", handler).timer();
  }
}
