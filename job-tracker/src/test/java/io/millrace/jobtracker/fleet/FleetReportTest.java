package io.millrace.jobtracker.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.lease.GroupStats;
import io.millrace.jobtracker.domain.waiting.Backlog;
import io.millrace.jobtracker.engine.ServedGroup;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.console.FleetStores;
import io.millrace.jobtracker.store.console.GroupLoadStore.GroupLoad;
import io.millrace.jobtracker.store.console.GroupLoadStore.LoadedGroup;
import io.millrace.jobtracker.store.console.WorkerStore.Drain;
import io.millrace.jobtracker.store.console.WorkerStore.Worker;
import io.millrace.jobtracker.store.console.WorkerStore.WorkerKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FleetReportTest {
  private static final long NOW = 1_800_000_000_000L;

  private final TestDatabase database = TestDatabase.h2();
  private final FleetStores stores = database.stores().console().fleet();
  private final List<ServedGroup> served = new ArrayList<>();
  private final FleetReport report = report(FleetReport.Portions.DEFAULT);

  private FleetReport report(FleetReport.Portions portions) {
    return new FleetReport(
        stores, database.stores().waiting(), 3, () -> List.copyOf(served), portions);
  }

  @AfterEach
  void closeDatabase() {
    database.close();
  }

  /** A group of which this is in memory. */
  private final class Group implements ServedGroup {
    final String name;
    final List<Worker> workers = new ArrayList<>();
    final List<Worker> forgotten = new ArrayList<>();
    List<Drain> drained = List.of();
    GroupStats stats = FleetReportTest.stats(NOW - 1_000, new Backlog(5, NOW - 9_000), 2, 7);

    Group(String name) {
      this.name = name;
      database.stores().nodeGroups().ensure(name, 1_000);
      served.add(this);
    }

    Group with(String workerId, Integer slots, Integer begun, @Nullable Long disconnectedAt) {
      workers.add(
          new Worker(
              workerId,
              name,
              0,
              3,
              "a:1",
              null,
              slots,
              begun,
              4,
              List.of(),
              NOW,
              NOW,
              disconnectedAt,
              drained.stream().anyMatch(drain -> drain.workerId().equals(workerId))));
      return this;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public GroupStats stats() {
      return stats;
    }

    @Override
    public List<Worker> workers() {
      return List.copyOf(workers);
    }

    @Override
    public void drain(List<Drain> drains) {
      drained = drains;
    }

    @Override
    public void forget(Worker disconnected) {
      forgotten.add(disconnected);
      workers.remove(disconnected);
    }
  }

  private static GroupStats stats(long countedAt, Backlog backlog, int freeSlots, int executing) {
    return new GroupStats(backlog, countedAt, 0, freeSlots, executing, false, false, Set.of());
  }

  private GroupLoad load(String name) {
    return stores.groups().find(name).map(LoadedGroup::load).orElseThrow();
  }

  @Test
  void whoWorksAndWhatWaitsIsWrittenDown() {
    Group orders =
        new Group("orders").with("w-1", 8, 10, null).with("w-2", 8, 3, null).with("w-3", 8, 8, NOW);
    orders.with("w-4", null, null, null);

    report.runOnce(NOW);

    assertThat(stores.workers().list(WorkerKey.FIRST, 10))
        .extracting(Worker::workerId)
        .containsExactly("w-1", "w-2", "w-3", "w-4");
    assertThat(load("orders"))
        .isEqualTo(
            new GroupLoad(
                "orders", 3, NOW - 1_000, 5, false, NOW - 9_000, null, 3, 0, 16, 11, 2, 7));
    assertThat(orders.forgotten).extracting(Worker::workerId).containsExactly("w-3");
  }

  @Test
  void aGroupThatNobodyHasCountedIsNotWritten() {
    new Group("orders").stats = stats(0, Backlog.NONE, 2, 7);

    report.runOnce(NOW);

    assertThat(stores.groups().find("orders")).map(LoadedGroup::load).isEmpty();
  }

  @Test
  void aLoadThatHasNotChangedIsWrittenNowAndThen() {
    Group orders = new Group("orders");
    report.runOnce(NOW);
    orders.stats = stats(NOW + 4_000, new Backlog(5, NOW - 9_000), 2, 7);
    report.runOnce(NOW + 5_000);
    assertThat(load("orders").observedAt()).isEqualTo(NOW - 1_000);

    orders.stats = stats(NOW + 5_000, new Backlog(5, NOW - 9_000), 2, 8);
    report.runOnce(NOW + 6_000);
    assertThat(load("orders").executing()).isEqualTo(8);
    long later = NOW + 5_000 + FleetReport.STALE_MILLIS;
    orders.stats = stats(later, new Backlog(5, NOW - 9_000), 2, 8);
    report.runOnce(later);

    assertThat(load("orders").observedAt()).isEqualTo(later);
  }

  @Test
  void drainsAreHeededByTheGroupsThatTheyAreAbout() {
    Group orders = new Group("orders").with("w-1", 1, 1, null);
    Group bills = new Group("bills").with("w-1", 1, 1, null).with("w-2", 1, 1, null);
    report.runOnce(NOW);
    stores.workers().setDraining("w-1", "orders", true);

    report.runOnce(NOW + 1);

    assertThat(orders.drained).containsExactly(new Drain("w-1", "orders", 0));
    assertThat(bills.drained).isEmpty();
    stores.workers().setDraining("w-1", "orders", false);
    report.runOnce(NOW + 2);
    assertThat(orders.drained).isEmpty();
  }

  @Test
  void whatFallsDueNextIsReadAgainWhenItIsDueOrOld() {
    new Group("orders");
    insertDue(1, NOW + 5_000);
    report.runOnce(NOW);
    assertThat(load("orders").nextDueAt()).isEqualTo(NOW + 5_000);

    insertDue(2, NOW + 4_000);
    report.runOnce(NOW + 1_000);
    assertThat(load("orders").nextDueAt()).isEqualTo(NOW + 5_000);
    report.runOnce(NOW + FleetReport.STALE_MILLIS / 3);
    assertThat(load("orders").nextDueAt()).as("both are due").isNull();
    insertDue(3, NOW + 20_000);
    report.runOnce(NOW + 11_000);
    assertThat(load("orders").nextDueAt()).isEqualTo(NOW + 20_000);
  }

  private void insertDue(long id, long dueAt) {
    database.execute(
        """
        INSERT INTO jt_waiting_orders
          (id, task_id, planned_at, ordinal, job_id, job_version, planned_for, due_at, priority,
           attempt, generated_at, spec, params_bytes)
        VALUES (%d, 'a', %d, 0, 1, 1, 0, %d, 100, 1, 0, NULL, 0)"""
            .formatted(id, id, dueAt));
  }

  @Test
  void withMoreThanARunMayWriteTheyTakeTurns() {
    Group orders = new Group("orders");
    IntStream.range(0, 5).forEach(i -> orders.with("w-" + i, 1, 1, null));
    new Group("bills");
    new Group("ads");
    FleetReport small = report(new FleetReport.Portions(2, 1, 1));

    small.runOnce(NOW);
    assertThat(stores.workers().list(WorkerKey.FIRST, 10)).hasSize(2);
    small.runOnce(NOW + 1);
    assertThat(stores.workers().list(WorkerKey.FIRST, 10)).hasSize(4);
    small.runOnce(NOW + 2);

    assertThat(stores.workers().list(WorkerKey.FIRST, 10)).hasSize(5);
    assertThat(stores.groups().list("", 10)).extracting(LoadedGroup::load).doesNotContainNull();
  }
}
