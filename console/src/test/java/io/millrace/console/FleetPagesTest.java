package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Explanation.Fact;
import io.millrace.api.FactKind;
import io.millrace.api.Job;
import io.millrace.console.api.fleet.GroupRoutes.GroupPage;
import io.millrace.console.api.fleet.GroupRoutes.GroupSummary;
import io.millrace.console.api.fleet.OverviewRoutes.Overview;
import io.millrace.console.api.fleet.SeriesRoutes.Series;
import io.millrace.console.api.fleet.TrackerRoutes.TrackerPage;
import io.millrace.console.api.fleet.TrackerRoutes.TrackerSummary;
import io.millrace.console.api.fleet.WorkerRoutes.WorkerDetail;
import io.millrace.console.api.fleet.WorkerRoutes.WorkerExecution;
import io.millrace.console.api.fleet.WorkerRoutes.WorkerPage;
import io.millrace.console.api.fleet.WorkerRoutes.WorkerSummary;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What operators see and do at two trackers that share a database. */
@Timeout(120)
class FleetPagesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final RunningConsole first = open(RunningConsole.over(TestDatabase.h2()));
  private final RunningConsole second = open(first.another());
  private final List<RunningConsole> both = List.of(first, second);
  private final Queue<String> ran = new ConcurrentLinkedQueue<>();
  private final CountDownLatch goOn = new CountDownLatch(1);

  private <T extends AutoCloseable> T open(T resource) {
    opened.push(resource);
    return resource;
  }

  @AfterEach
  void closeWhatIsOpen() throws Exception {
    goOn.countDown();
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }

  private void startWorker(String id, String group) {
    TaskTracker worker =
        open(
            TaskTracker.builder()
                .trackers(first.tracker().address(), second.tracker().address())
                .nodeGroup(group)
                .id(id)
                .slots(2)
                .runner(
                    context -> {
                      if (context.taskId().equals("long")) {
                        goOn.await();
                      }
                      ran.add(context.taskId());
                      return Result.success();
                    })
                .build());
    worker.start();
  }

  private JobClient client(RunningConsole of) {
    return open(JobClient.builder().trackers(of.tracker().address()).build());
  }

  private static <T> T get(RunningConsole of, String path, Class<T> type) throws Exception {
    RunningConsole.Answered answered = of.ask("GET", "/api/v1" + path).send();
    assertThat(answered.status()).as(answered.body()).isEqualTo(200);
    return answered.as(type);
  }

  private static List<WorkerSummary> connected(RunningConsole at) throws Exception {
    return get(at, "/workers", WorkerPage.class).items().stream()
        .filter(WorkerSummary::connected)
        .toList();
  }

  private RunningConsole ownerOf(String group) throws Exception {
    String address = get(first, "/groups/" + group, GroupSummary.class).address();
    return first.tracker().address().equals(address) ? first : second;
  }

  private void awaitGroup(String group, Predicate<GroupSummary> state) {
    await(group)
        .atMost(PATIENCE)
        .until(() -> get(first, "/groups/" + group, GroupSummary.class), state);
  }

  /** Two groups over two trackers: one each. */
  private void startFleet() throws Exception {
    startWorker("worker-of-orders", "orders");
    startWorker("worker-of-bills", "bills");
    await("a group each")
        .atMost(PATIENCE)
        .until(
            () ->
                get(first, "/trackers", TrackerPage.class).items().stream()
                    .filter(TrackerSummary::alive)
                    .filter(row -> row.groups() == 1)
                    .count(),
            count -> count == 2);
    awaitGroup("orders", row -> row.workers() == 1 && row.slots() == 2);
    awaitGroup("bills", row -> row.workers() == 1 && row.slots() == 2);
  }

  @Test
  void aWorkerIsDrainedThroughATrackerThatDoesNotServeItsGroup() throws Exception {
    startFleet();
    for (RunningConsole each : both) {
      assertThat(connected(each))
          .extracting(WorkerSummary::id)
          .containsExactly("worker-of-bills", "worker-of-orders");
      assertThat(connected(each)).extracting(WorkerSummary::tracker).doesNotHaveDuplicates();
    }
    assertThat(get(first, "/workers?contains=OF-B", WorkerPage.class).items())
        .extracting(WorkerSummary::id)
        .containsExactly("worker-of-bills");
    assertThat(get(first, "/workers?group=bills&contains=orders", WorkerPage.class).items())
        .isEmpty();
    assertThat(get(first, "/groups?contains=ill", GroupPage.class).items())
        .extracting(GroupSummary::name)
        .containsExactly("bills");
    RunningConsole owner = ownerOf("orders");
    RunningConsole other = owner == first ? second : first;
    JobClient client = client(owner);
    client.submit(Job.builder("orders", "long").build());
    await("what it executes")
        .atMost(PATIENCE)
        .until(
            () -> get(other, "/workers/worker-of-orders", WorkerDetail.class).executing(),
            executing ->
                executing.stream().map(WorkerExecution::taskId).toList().equals(List.of("long")));

    RunningConsole.Answered drained =
        other.ask("POST", "/api/v1/workers/worker-of-orders/drain").send();
    assertThat(drained.as(WorkerSummary.class).draining()).as(drained.body()).isTrue();
    awaitGroup("orders", row -> row.draining() == 1);
    client.submit(Job.builder("orders", "waits").build());
    awaitGroup("orders", row -> row.backlog() == 1);

    assertThat(ran).isEmpty();
    assertThat(client.explain("orders", "waits").facts().stream().filter(this::isDue))
        .singleElement()
        .extracting(Fact::text)
        .asString()
        .contains("the 1 worker connected is draining");
    goOn.countDown();
    await("the end of what it ran").atMost(PATIENCE).until(() -> ran.contains("long"));
    awaitGroup("orders", row -> row.executing() == 0);
    assertThat(ran).containsExactly("long");
    assertThat(connected(other)).as("it pulls on").hasSize(2);

    assertThat(other.ask("POST", "/api/v1/workers/worker-of-orders/undrain").send().status())
        .isEqualTo(200);
    await("work again").atMost(PATIENCE).until(() -> ran.contains("waits"));
    awaitGroup("orders", row -> row.backlog() == 0 && row.draining() == 0);
  }

  private boolean isDue(Fact fact) {
    return fact.kind() == FactKind.DUE;
  }

  @Test
  void aWorkerDrainsOnWhenAnotherTrackerTakesItsGroupOver() throws Exception {
    startFleet();
    RunningConsole owner = ownerOf("orders");
    RunningConsole other = owner == first ? second : first;
    assertThat(other.ask("POST", "/api/v1/workers/worker-of-orders/drain").send().status())
        .isEqualTo(200);
    awaitGroup("orders", row -> row.draining() == 1);

    owner.tracker().close();
    JobClient client = client(other);
    await("the group at the other tracker")
        .atMost(PATIENCE)
        .until(
            () -> get(other, "/groups/orders", GroupSummary.class),
            row ->
                other.tracker().address().equals(row.address())
                    && row.workers() == 1
                    && row.draining() == 1);
    client.submit(Job.builder("orders", "waits").build());
    client.submit(Job.builder("bills", "runs").build());
    await("work of the other group").atMost(PATIENCE).until(() -> ran.contains("runs"));
    await("what waits")
        .atMost(PATIENCE)
        .until(() -> get(other, "/groups/orders", GroupSummary.class).backlog() == 1);

    assertThat(ran).containsExactly("runs");
  }

  @Test
  void whatHappenedIsCountedOverAllTrackersAndOutlivesThem() throws Exception {
    startFleet();
    JobClient client = client(first);
    for (int i = 0; i < 20; i++) {
      client.submit(Job.builder(i % 2 == 0 ? "orders" : "bills", "job-" + i).build());
    }
    for (RunningConsole each : both) {
      await("all ends")
          .atMost(PATIENCE)
          .until(() -> get(each, "/overview", Overview.class).lastHour().succeeded() == 20);
    }
    Overview overview = get(second, "/overview", Overview.class);
    assertThat(overview.lastDay().planned()).isEqualTo(20);
    assertThat(overview.lastDay().claimed()).isEqualTo(20);
    assertThat(overview.lastDay().started()).isEqualTo(20);
    assertThat(overview.lastDay().ran()).isEqualTo(20);
    assertThat(overview.trackers()).isEqualTo(2);
    assertThat(overview.totals().slots()).isEqualTo(4);
    Series orders = get(second, "/series?group=orders", Series.class);
    assertThat(orders.points().stream().mapToLong(point -> point.happened().succeeded()).sum())
        .isEqualTo(10);

    client.submit(Job.builder("orders", "last").build());
    await("the last").atMost(PATIENCE).until(() -> ran.contains("last"));
    await("its end").atMost(PATIENCE).until(() -> first.database().count("jt_history") == 21);
    first.tracker().close();
    second.tracker().close();
    RunningConsole restarted = open(first.another());

    assertThat(get(restarted, "/overview", Overview.class).lastHour().succeeded())
        .as("with what was counted before the stop")
        .isEqualTo(21);
  }
}
