package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.tracing.Tracer;
import io.millrace.api.Disposition;
import io.millrace.api.Job;
import io.millrace.api.SubmitStatus;
import io.millrace.api.TriggerResult;
import io.millrace.jobclient.JobClient;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.JobLogger;
import io.millrace.tasktracker.Result;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** A whole web application with jobs, against a tracker. */
@SpringBootTest(
    webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
    properties = {"spring.application.name=shop", "shop.handler=by-placeholder"})
class ApplicationWithJobsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final TestTracker TRACKER = TestTracker.start();

  @DynamicPropertySource
  static void tracker(DynamicPropertyRegistry properties) {
    properties.add("millrace.trackers", TRACKER::address);
  }

  @AfterAll
  static void close() {
    TRACKER.close();
  }

  record Line(String article, int count, BigDecimal price) {}

  record Order(String customer, LocalDate day, List<Line> lines) {}

  record Receipt(String number, BigDecimal total) {}

  enum Colour {
    RED
  }

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Shop {

    @Bean
    Jobs jobs() {
      return new Jobs();
    }

    @Bean
    TracedJobs tracedJobs(Tracer tracer) {
      return new TracedJobs(tracer);
    }
  }

  static class Jobs {
    final Map<String, Object> seen = new ConcurrentHashMap<>();

    @MillraceJob("close-order")
    Receipt close(
        String orderId,
        int copies,
        Order order,
        List<Line> more,
        Colour colour,
        Optional<UUID> present,
        Optional<UUID> missing,
        @Nullable String reason,
        JobContext context,
        JobLogger log) {
      log.info("closing {}", orderId);
      seen.put("copies", copies);
      seen.put("order", order);
      seen.put("more", more);
      seen.put("colour", colour);
      seen.put("present", present);
      seen.put("missing", missing);
      seen.put("reason", String.valueOf(reason));
      seen.put("taskId", context.taskId());
      BigDecimal total =
          order.lines().stream()
              .map(line -> line.price().multiply(BigDecimal.valueOf(line.count())))
              .reduce(BigDecimal.ZERO, BigDecimal::add);
      return new Receipt(orderId, total);
    }

    @MillraceJob("own-result")
    Result ownResult() {
      return Result.failed("out of stock");
    }

    @MillraceJob("${shop.handler}")
    void byPlaceholder() {}

    @MillraceJob("throws-twice")
    void throwsTwice(JobContext context) {
      if (context.attempt() < 3) {
        throw new IllegalStateException("not yet");
      }
    }
  }

  static class TracedJobs {
    final Map<String, String> traceIds = new ConcurrentHashMap<>();
    private final Tracer tracer;

    TracedJobs(Tracer tracer) {
      this.tracer = tracer;
    }

    @MillraceJob("traced")
    void traced(JobContext context) {
      traceIds.put(context.taskId(), tracer.currentSpan().context().traceId());
    }
  }

  private final BlockingQueue<TriggerResult> results = new LinkedBlockingQueue<>();

  @Autowired private JobClient client;
  @Autowired private Jobs jobs;
  @Autowired private TracedJobs tracedJobs;
  @Autowired private Tracer tracer;

  @Value("${local.server.port}")
  private int port;

  @BeforeEach
  void listen() {
    client.onResult(results::add);
  }

  @Test
  void jobRunsWithBoundParametersAndItsValueIsTheResult() throws Exception {
    Order order =
        new Order(
            "Ada", LocalDate.of(2026, 11, 23), List.of(new Line("tea", 2, new BigDecimal("1.50"))));
    UUID present = UUID.randomUUID();

    TriggerResult result =
        run(
            Job.builder("shop", "close:42")
                .handler("close-order")
                .param("orderId", "42")
                .param("copies", 3)
                .param("order", order)
                .param("more", order.lines())
                .param("colour", "RED")
                .param("present", present)
                .param("notAsked", "for"));

    assertThat(result.disposition()).isEqualTo(Disposition.SUCCEEDED);
    assertThat(result.result()).isEqualTo("{\"number\":\"42\",\"total\":3.00}");
    assertThat(jobs.seen)
        .containsEntry("copies", 3)
        .containsEntry("order", order)
        .containsEntry("more", order.lines())
        .containsEntry("colour", Colour.RED)
        .containsEntry("present", Optional.of(present))
        .containsEntry("missing", Optional.empty())
        .containsEntry("reason", "null")
        .containsEntry("taskId", "close:42");
  }

  @Test
  void missingParameterIsDeadAtOnceAndNamed() throws Exception {
    TriggerResult result =
        run(Job.builder("shop", "missing").handler("close-order").param("orderId", "1"));

    assertThat(result.disposition()).isEqualTo(Disposition.DEAD);
    assertThat(result.attempt()).isEqualTo(1);
    assertThat(result.message()).contains("parameter copies is missing");
  }

  @Test
  void parameterThatDoesNotFitIsDeadAtOnceAndNamed() throws Exception {
    TriggerResult result =
        run(
            Job.builder("shop", "unfit")
                .handler("close-order")
                .param("orderId", "1")
                .param("copies", "many"));

    assertThat(result.disposition()).isEqualTo(Disposition.DEAD);
    assertThat(result.attempt()).isEqualTo(1);
    assertThat(result.message()).contains("parameter copies does not fit int");
  }

  @Test
  void returnedResultIsTakenAsItIs() throws Exception {
    TriggerResult result = run(Job.builder("shop", "own").handler("own-result"));

    assertThat(result.disposition()).isEqualTo(Disposition.FAILED);
    assertThat(result.message()).isEqualTo("out of stock");
  }

  @Test
  void exceptionIsRetried() throws Exception {
    TriggerResult result =
        run(
            Job.builder("shop", "retried")
                .handler("throws-twice")
                .retry(
                    io.millrace.api.RetryPolicy.retries(3)
                        .withDelays(Duration.ofMillis(10), Duration.ofMillis(10))));

    assertThat(result.disposition()).isEqualTo(Disposition.SUCCEEDED);
    assertThat(result.attempt()).isEqualTo(3);
  }

  @Test
  void handlerMayBeAPlaceholder() throws Exception {
    assertThat(run(Job.builder("shop", "placeholder").handler("by-placeholder")).disposition())
        .isEqualTo(Disposition.SUCCEEDED);
  }

  @Test
  void traceOfTheSubmitContinuesInTheRun() throws Exception {
    String submitted;
    var span = tracer.nextSpan().name("order").start();
    try (Tracer.SpanInScope scope = tracer.withSpan(span)) {
      submitted = span.context().traceId();
      run(Job.builder("shop", "of-trace").handler("traced"));
      run(
          Job.builder("shop", "of-another")
              .handler("traced")
              .traceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
    } finally {
      span.end();
    }
    run(Job.builder("shop", "of-none").handler("traced"));

    assertThat(tracedJobs.traceIds)
        .containsEntry("of-trace", submitted)
        .containsEntry("of-another", "4bf92f3577b34da6a3ce929d0e0e4736");
    assertThat(tracedJobs.traceIds.get("of-none")).isNotNull().isNotEqualTo(submitted);
  }

  @Test
  void healthPageNamesTheTracker() throws Exception {
    assertThat(Http.get(port, "/actuator/health").body())
        .contains("\"millrace\":{", "\"status\":\"UP\"", TRACKER.address());
  }

  @Test
  void metricsPageHasTheMetersOfClientAndWorkerAndTheRuns() throws Exception {
    run(Job.builder("shop", "measured").handler("by-placeholder"));

    assertThat(Http.get(port, "/actuator/metrics").body())
        .contains("millrace.client.submit.time", "millrace.worker.run.time");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(Http.get(port, "/actuator/metrics/millrace.job").body())
                    .contains("by-placeholder", "SUCCESS"));
  }

  private TriggerResult run(Job.Builder job) throws InterruptedException {
    Job built = job.feedback(true).build();
    assertThat(client.submit(built).status()).isEqualTo(SubmitStatus.ACCEPTED);
    while (true) {
      TriggerResult result =
          results.poll(PATIENCE.toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS);
      assertThat(result).as("result of %s", built.taskId()).isNotNull();
      if (result.taskId().equals(built.taskId())) {
        return result;
      }
    }
  }
}
