package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.store.EveryDatabase;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.slf4j.MDC;

/** The trace that a job is submitted in comes out at each of its runs, and in the ledger. */
class TraceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration TEN_MILLIS = Duration.ofMillis(10);
  private static final String ORDERS = "orders";
  private static final String OF_ONCE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final String OF_EVERY = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";

  /** What one invocation saw. */
  private record Seen(
      String taskId, int attempt, String parent, String state, Map<String, String> mdc) {}

  private final ConcurrentLinkedQueue<Seen> seen = new ConcurrentLinkedQueue<>();

  @ParameterizedTest
  @EveryDatabase
  void everyRunOfAJobHasTheTraceOfItsSubmit(TestDatabase.Kind kind) {
    try (TestDatabase database = kind.open();
        JobTracker tracker = JobTracker.create(JobTrackerConfig.local(0, database.config()))) {
      tracker.start();
      try (TaskTracker worker = worker(tracker);
          JobClient client = JobClient.builder().trackers(tracker.address()).build()) {
        worker.start();
        client.submitAll(
            List.of(
                Job.builder(ORDERS, "once")
                    .retry(RetryPolicy.retries(1).withDelays(TEN_MILLIS, TEN_MILLIS))
                    .traceParent(OF_ONCE)
                    .traceState("vendor=1")
                    .build(),
                Job.builder(ORDERS, "every")
                    .every(Duration.ofSeconds(1))
                    .times(2)
                    .misfire(MisfirePolicy.all())
                    .traceParent(OF_EVERY)
                    .build(),
                Job.builder(ORDERS, "extra").cron("0 0 0 1 1 ?").traceParent(OF_EVERY).build(),
                Job.builder(ORDERS, "untraced").build()));
        assertThat(client.runNow(ORDERS, "extra").isAccepted()).isTrue();
        await().atMost(PATIENCE).until(() -> ledger(database).size() == 6);
      }

      assertThat(parents("once")).containsExactly(OF_ONCE, OF_ONCE);
      assertThat(of("once")).extracting(Seen::state).containsOnly("vendor=1");
      assertThat(of("once"))
          .extracting(run -> run.mdc().get("traceId"))
          .containsOnly("4bf92f3577b34da6a3ce929d0e0e4736");
      assertThat(parents("every")).containsExactly(OF_EVERY, OF_EVERY);
      assertThat(parents("extra")).containsExactly(OF_EVERY);
      assertThat(of("untraced")).extracting(Seen::parent).containsExactly((String) null);
      assertThat(of("untraced").get(0).mdc()).doesNotContainKeys("traceId", "traceParent");
      assertThat(ledger(database))
          .allSatisfy(
              row ->
                  assertThat(row.origin().traceParent())
                      .isEqualTo(
                          switch (row.key().taskId()) {
                            case "once" -> OF_ONCE;
                            case "every", "extra" -> OF_EVERY;
                            default -> null;
                          }));
    }
  }

  private static List<LedgerEntry> ledger(TestDatabase database) {
    return database.stores().ledger().readAfter(Long.MIN_VALUE, 100);
  }

  private List<Seen> of(String taskId) {
    return seen.stream().filter(each -> each.taskId().equals(taskId)).toList();
  }

  private List<String> parents(String taskId) {
    return of(taskId).stream().map(Seen::parent).toList();
  }

  private TaskTracker worker(JobTracker tracker) {
    return TaskTracker.builder()
        .trackers(tracker.address())
        .nodeGroup(ORDERS)
        .slots(4)
        .runner(this::note)
        .build();
  }

  private Result note(JobContext context) {
    seen.add(
        new Seen(
            context.taskId(),
            context.attempt(),
            context.traceParent(),
            context.traceState(),
            MDC.getCopyOfContextMap()));
    if (context.taskId().equals("once") && context.attempt() == 1) {
      throw new IllegalStateException("once more");
    }
    return Result.success();
  }
}
