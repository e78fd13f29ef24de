package io.millrace.tasktracker;

import static io.millrace.tasktracker.HandDrivenWorker.GROUP;
import static io.millrace.tasktracker.HandDrivenWorker.execution;
import static io.millrace.tasktracker.HandDrivenWorker.executions;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.api.OutboxConfig;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullStatus;
import io.millrace.internal.rpc.RpcException;
import io.millrace.tasktracker.internal.metrics.WorkerMeters;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerMetersTest {
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private HandDrivenWorker worker;

  private HandDrivenWorker.Setup with(JobRunner runner) {
    return HandDrivenWorker.with(runner).measures(clock -> new WorkerMeters(meters, GROUP, clock));
  }

  @Test
  void invocationsAreCountedByTheirHandlerAndTheirEndsByOutcome() {
    worker =
        with(context -> Result.success())
            .handlers(
                Map.of(
                    "mailer", context -> Result.failed("full"),
                    "broken", context -> error()))
            .connect();

    worker.tracker.assign(execution(11), execution(12, "mailer"), execution(13, "broken"));
    worker.tracker.assign(execution(14, "nobody"));
    assertThat(count("executions.started", "handler", "default")).as("in line").isZero();
    worker.runInvocations();

    assertThat(count("executions.started", "handler", "default")).isEqualTo(1);
    assertThat(count("executions.started", "handler", "mailer")).isEqualTo(1);
    assertThat(count("executions.ended", "outcome", "success")).isEqualTo(1);
    assertThat(count("executions.ended", "outcome", "failed")).isEqualTo(1);
    assertThat(count("executions.ended", "outcome", "exception")).isEqualTo(1);
    assertThat(count("executions.ended", "outcome", "unknown_handler")).isEqualTo(1);
    assertThat(runTime("broken").count()).as("what throws has run, too").isEqualTo(1);
  }

  private static Result error() {
    throw new IllegalStateException("on purpose");
  }

  @Test
  void runTimeIsHowLongTheInvocationTook() {
    worker =
        with(context -> {
              worker.advance(Duration.ofMillis(1_500));
              assertThat(gauge("slots.used")).isEqualTo(1);
              return Result.success();
            })
            .connect();

    worker.tracker.assign(execution(11));
    worker.runInvocations();

    assertThat(runTime("default").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(1_500);
    assertThat(gauge("slots.used")).isZero();
    assertThat(gauge("slots")).isEqualTo(4);
  }

  @Test
  void pullsAreCountedByWhatCameOfThem() {
    worker = with(context -> Result.success()).connect();
    worker.answerEmpty();
    assertThat(count("pulls", "answer", "served")).isEqualTo(1);

    worker.advance(Duration.ofSeconds(1));
    worker.tracker.answer(worker.tracker.lastPull().number(), PullReply.notOwner("other:35001"));
    assertThat(count("pulls", "answer", "not_owner")).isEqualTo(1);

    worker.advance(Duration.ofSeconds(1));
    worker.tracker.fail(
        worker.tracker.lastPull().number(), new RpcException(ErrorCode.UNAVAILABLE, "gone"));
    assertThat(count("pulls", "answer", "failed")).isEqualTo(1);
  }

  @Test
  void eachLostLeaseIsCountedOnce() {
    worker = with(context -> Result.success()).connect();
    worker.tracker.answer(1, reply(List.of(execution(11), execution(12)), List.of()));
    assertThat(count("leases.lost")).isZero();

    worker.advance(Duration.ofMillis(13_500));
    worker.advance(Duration.ofSeconds(5));

    assertThat(count("leases.lost")).isEqualTo(2);
  }

  private static PullReply reply(List<Assignment> assignments, List<Long> lost) {
    return new PullReply(
        PullStatus.SERVED,
        assignments,
        null,
        List.of(),
        null,
        List.of(),
        lost,
        15_000L,
        null,
        null);
  }

  @Test
  void resultsWaitUntilTheTrackerHasAcknowledgedThem(@TempDir Path directory) {
    worker = with(context -> Result.success()).outbox(OutboxConfig.of(directory)).connect();
    worker.tracker.answersCompletes = false;
    worker.tracker.assign(executions(11, 3));
    worker.runInvocations();
    worker.advance(Duration.ofMillis(50));

    assertThat(gauge("results.waiting")).isEqualTo(3);
    assertThat(gauge("outbox.results")).isEqualTo(3);
    assertThat(gauge("outbox.size")).isPositive();

    worker.tracker.accept(
        worker.tracker.completes.get(0).request(), worker.tracker.completes.get(0).answer());

    assertThat(gauge("results.waiting")).isEqualTo(2);
  }

  @Test
  void gaugesAreGoneWithTheWorkerAndCountsStay() {
    worker = with(context -> Result.success()).connect();
    assertThat(gauge("connected")).isEqualTo(1);
    worker.tracker.disconnect();
    assertThat(gauge("connected")).isZero();

    worker.node.stop();
    worker.advance(Duration.ofMinutes(2));

    assertThat(meters.find("millrace.worker.slots").gauge()).isNull();
    assertThat(meters.find("millrace.worker.pulls").counters()).isNotEmpty();
  }

  private double gauge(String name) {
    return meters.get("millrace.worker." + name).tag("group", GROUP).gauge().value();
  }

  private double count(String name, String... tags) {
    return meters.get("millrace.worker." + name).tag("group", GROUP).tags(tags).counter().count();
  }

  private Timer runTime(String handler) {
    return meters.get("millrace.worker.run.time").tags("group", GROUP, "handler", handler).timer();
  }
}
