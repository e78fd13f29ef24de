package io.millrace.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.jobclient.JobClient;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** How the kit is given to tests, and on which threads it calls them. */
@MillraceTest(startAt = "2026-05-04T09:00", zone = "Europe/Berlin")
class TestMillraceTest {
  private final List<String> ran = new ArrayList<>();

  @BeforeEach
  void startWorker(TestMillrace millrace) {
    millrace.worker(
        "orders",
        worker ->
            worker.runner(
                context -> {
                  ran.add(Thread.currentThread().getName());
                  return Result.success();
                }));
  }

  @Test
  void handlersRunInTheThreadOfTheTest(TestMillrace millrace, JobClient client) {
    client.submit(Job.builder("orders", "a").build());
    assertThat(ran).isEmpty();

    millrace.runDue();

    assertThat(ran).containsExactly(Thread.currentThread().getName());
  }

  @Test
  void clockIsThatOfTheAnnotationAndStandsStill(TestMillrace millrace, Clock clock) {
    assertThat(clock.instant()).isEqualTo(Instant.parse("2026-05-04T07:00:00Z"));
    assertThat(clock.getZone()).isEqualTo(ZoneId.of("Europe/Berlin"));
    assertThat(millrace.now()).hasToString("2026-05-04T09:00+02:00[Europe/Berlin]");

    millrace.advance(Duration.ofHours(1));

    assertThat(clock.instant()).isEqualTo(Instant.parse("2026-05-04T08:00:00Z"));
    assertThat(clock.withZone(ZoneId.of("UTC")).instant()).isEqualTo(clock.instant());
  }

  @Nested
  class WithinAnother {

    @Test
    void annotationOfTheOuterClassHolds(TestMillrace millrace) {
      assertThat(millrace.now().getHour()).isEqualTo(9);
    }

    @Test
    @MillraceTest(startAt = "2026-07-01T00:00:00Z")
    void annotationOfTheMethodComesFirst(TestMillrace millrace) {
      assertThat(millrace.now()).hasToString("2026-07-01T00:00Z[UTC]");
    }
  }

  @Test
  void applicationsBuildTheirOwnClientsAndWorkers(TestMillrace millrace) {
    List<String> handled = new ArrayList<>();
    TaskTracker worker =
        TaskTracker.builder()
            .trackers(millrace.address())
            .nodeGroup("billing")
            .id("own-worker")
            .handler(
                "bill",
                context -> {
                  handled.add(context.taskId());
                  return Result.success();
                })
            .resources(millrace.workerResources("billing", "own-worker"))
            .build();
    worker.start();
    try (JobClient own =
        JobClient.builder()
            .trackers(millrace.address())
            .clientGroup("shop")
            .id("own-client")
            .resources(millrace.clientResources("shop", "own-client"))
            .build()) {
      own.submit(Job.builder("billing", "bill:1").handler("bill").build());

      millrace.runDue();
    }

    assertThat(handled).containsExactly("bill:1");
    assertThat(millrace.runs("billing", "bill:1").last().attempts().get(0).workerId())
        .isEqualTo("own-worker");
    worker.close();
  }

  @Test
  void otherThreadsMayUseTheClients(TestMillrace millrace, JobClient client) throws Exception {
    AtomicReference<Object> answer = new AtomicReference<>();
    Thread other =
        new Thread(() -> answer.set(client.submit(Job.builder("orders", "a").build()).status()));
    other.start();
    other.join();

    millrace.runDue();

    assertThat(String.valueOf(answer.get())).isEqualTo("ACCEPTED");
    millrace.runs("orders", "a").hasRun(1);
  }

  @RepeatedTest(5)
  void equalTestsRunEqually() {
    assertThat(history()).isEqualTo(history());
  }

  private static List<String> history() {
    try (TestMillrace millrace = TestMillrace.create()) {
      millrace.worker("orders", worker -> worker.runner(context -> flaky(context.executionId())));
      millrace.worker("orders", worker -> worker.runner(context -> flaky(context.executionId())));
      for (int i = 0; i < 5; i++) {
        millrace.client().submit(Job.builder("orders", "job-" + i).cron("0 7 * * * ?").build());
      }
      millrace.advance(Duration.ofHours(5));
      List<String> all = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        for (JobRun run : millrace.runs("orders", "job-" + i).hasRun(5).list()) {
          run.attempts().forEach(attempt -> all.add(withoutStack(attempt)));
        }
      }
      return all;
    }
  }

  /** A stack trace differs from one call to the next. */
  private static String withoutStack(JobAttempt attempt) {
    return attempt.toString().replaceAll("(?s)message=.*, params", "params");
  }

  private static Result flaky(long executionId) {
    if (executionId % 3 == 0) {
      throw new IllegalStateException("not this time");
    }
    return Result.success();
  }
}
