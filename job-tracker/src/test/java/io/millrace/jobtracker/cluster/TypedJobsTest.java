package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Disposition;
import io.millrace.api.Job;
import io.millrace.api.RetryPolicy;
import io.millrace.api.SubmitResult;
import io.millrace.api.TriggerResult;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.store.EveryDatabase;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** A value goes in with a job, and a value comes out of it to the client that submitted it. */
@Timeout(180)
class TypedJobsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String ORDERS = "orders";
  private static final int LARGE = 120;

  record Line(String product, int count, BigDecimal price) {}

  record Order(long id, List<Line> lines) {}

  record Receipt(long order, BigDecimal total) {}

  private final Map<String, TriggerResult> told = new ConcurrentHashMap<>();
  private final AtomicInteger runsOfUnfit = new AtomicInteger();

  @ParameterizedTest
  @EveryDatabase
  void valuesGoInAndComeOut(TestDatabase.Kind kind) {
    Order order =
        new Order(
            42,
            List.of(
                new Line("nail", 3, new BigDecimal("0.10")),
                new Line("nut", 1, new BigDecimal("1.05"))));
    try (TestDatabase database = kind.open();
        JobTracker tracker = JobTracker.create(JobTrackerConfig.local(0, database.config()))) {
      tracker.start();
      try (TaskTracker worker = worker(tracker);
          JobClient client =
              JobClient.builder().trackers(tracker.address()).clientGroup("shop").build()) {
        worker.start();
        client.onResult(end -> told.put(end.taskId(), end));
        client.submitAll(
            List.of(
                Job.builder(ORDERS, "close").param("order", order).feedback(true).build(),
                Job.builder(ORDERS, "unfit")
                    .param("order", "{\"id\":\"42\",\"lines\":[]}")
                    .retry(RetryPolicy.retries(5))
                    .feedback(true)
                    .build(),
                Job.builder(ORDERS, "too-large").feedback(true).build()));
        client.submitAll(
            IntStream.range(0, LARGE)
                .mapToObj(i -> Job.builder(ORDERS, "large-" + i).feedback(true).build())
                .toList());
        await().atMost(PATIENCE).until(() -> told.size() == LARGE + 3);
        await().atMost(PATIENCE).until(() -> database.count("jt_feedback") == 0);
        SubmitResult again =
            client.submit(Job.builder(ORDERS, "again").param("order", order).build());
        assertThat(client.await(again, PATIENCE).result(Receipt.class))
            .contains(new Receipt(42, new BigDecimal("1.35")));
      }
      assertThat(database.count("jt_result")).isEqualTo(LARGE + 2);
    }

    assertThat(told.get("close").result(Receipt.class))
        .contains(new Receipt(42, new BigDecimal("1.35")));
    assertThat(told.get("unfit").disposition()).isEqualTo(Disposition.DEAD);
    assertThat(told.get("unfit").message())
        .contains("job orders/unfit: parameter order does not fit", "id: is text and not a whole");
    assertThat(runsOfUnfit).hasValue(1);
    assertThat(told.get("too-large").disposition()).isEqualTo(Disposition.FAILED);
    assertThat(told.get("too-large").message()).contains("it has 70002 bytes of UTF-8");
    assertThat(told.values())
        .filteredOn(end -> end.taskId().startsWith("large-"))
        .allSatisfy(end -> assertThat(end.result()).hasSize(60_002));
  }

  private TaskTracker worker(JobTracker tracker) {
    return TaskTracker.builder()
        .trackers(tracker.address())
        .nodeGroup(ORDERS)
        .slots(16)
        .runner(this::run)
        .build();
  }

  private Result run(JobContext context) {
    if (context.taskId().startsWith("large")) {
      return Result.of("x".repeat(60_000));
    }
    if (context.taskId().equals("too-large")) {
      return Result.of("x".repeat(70_000));
    }
    if (context.taskId().equals("unfit")) {
      runsOfUnfit.incrementAndGet();
    }
    Order order = context.param("order", Order.class);
    BigDecimal total =
        order.lines().stream()
            .map(line -> line.price().multiply(BigDecimal.valueOf(line.count())))
            .reduce(BigDecimal.ZERO, BigDecimal::add);
    return Result.of(new Receipt(order.id(), total));
  }
}
