package io.millrace.jobclient;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.internal.protocol.SubmitReply;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.jobclient.fake.FakeConnector;
import io.millrace.jobclient.internal.resources.ClientResources;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientMetersTest {
  private final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T00:00:00Z"));
  private final ManualTimer timer = new ManualTimer(clock);
  private final FakeConnector connector = new FakeConnector();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  private JobClientBuilder builder() {
    return JobClient.builder()
        .trackers("127.0.0.1:35001")
        .clientGroup("billing")
        .closeTimeout(Duration.ZERO)
        .meterRegistry(meters)
        .resources(
            new ClientResources(
                clock, timer, Runnable::run, Runnable::run, connector, new Random(1)));
  }

  @Test
  void submitsAreTimedByTheirAnswer() {
    try (JobClient client = builder().build()) {
      assertThat(gauge("connected")).isEqualTo(1);
      CompletableFuture<SubmitResult> first = client.submitAsync(job("a"));
      assertThat(gauge("jobs.in.flight")).isEqualTo(1);
      timer.advance(Duration.ofMillis(40));
      answer(SubmitResult.accepted("a"));
      CompletableFuture<SubmitResult> second = client.async().trySubmit(job("b"));
      answer(SubmitResult.rejected("b", RejectReason.BAD_CRON, "no such day"));

      assertThat(first).isCompleted();
      assertThat(second).isCompleted();
      assertThat(submits("accepted").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(40);
      assertThat(submits("accepted").count()).isEqualTo(1);
      assertThat(submits("rejected").count()).isEqualTo(1);
      assertThat(submits("duplicate").count()).as("registered before the first").isZero();
      assertThat(gauge("jobs.in.flight")).isZero();
    }
  }

  @Test
  void submitWithoutAnAnswerCountsAsFailed() {
    try (JobClient client = builder().requestTimeout(Duration.ofSeconds(5)).build()) {
      CompletableFuture<SubmitResult> lost = client.submitAsync(job("a"));

      timer.advance(Duration.ofSeconds(6));

      assertThat(lost).isCompletedExceptionally();
      assertThat(submits("failed").count()).isEqualTo(1);
    }
  }

  @Test
  void outboxShowsWhatIsSaved(@TempDir Path directory) {
    try (JobClient client =
        builder().requestTimeout(Duration.ofSeconds(5)).outbox(directory).build()) {
      assertThat(gauge("outbox.requests")).isZero();
      CompletableFuture<SubmitResult> saved = client.submitAsync(job("a"));

      timer.advance(Duration.ofSeconds(6));

      assertThat(saved).isCompleted();
      assertThat(submits("saved_locally").count()).isEqualTo(1);
      assertThat(gauge("outbox.requests")).isEqualTo(1);
      assertThat(gauge("outbox.size")).isPositive();
    }
  }

  @Test
  void gaugesAreGoneWithTheClientAndCountsStay() {
    builder().build().close();

    assertThat(meters.find("millrace.client.connected").gauge()).isNull();
    assertThat(submits("accepted").count()).isZero();
  }

  private static Job job(String taskId) {
    return Job.builder("orders", taskId).build();
  }

  private void answer(SubmitResult result) {
    connector.session().last().answer(new SubmitReply(List.of(result)));
  }

  private Timer submits(String answer) {
    return meters
        .get("millrace.client.submit.time")
        .tags("client.group", "billing", "answer", answer)
        .timer();
  }

  private double gauge(String name) {
    return meters.get("millrace.client." + name).tag("client.group", "billing").gauge().value();
  }
}
