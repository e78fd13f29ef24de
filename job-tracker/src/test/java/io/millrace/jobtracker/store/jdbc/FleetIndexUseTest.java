package io.millrace.jobtracker.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.store.EveryDatabase;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.console.Counts;
import io.millrace.jobtracker.store.console.FleetStores;
import io.millrace.jobtracker.store.console.GroupLoadStore;
import io.millrace.jobtracker.store.console.MinuteCountStore;
import io.millrace.jobtracker.store.console.WorkerStore;
import io.millrace.jobtracker.store.console.WorkerStore.Rank;
import io.millrace.jobtracker.store.console.WorkerStore.Search;
import io.millrace.jobtracker.store.jdbc.StatementRecorder.Recorded;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.jobtracker.store.order.Direction;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** What it costs to show workers, node groups and counts, asked of the database itself. */
@ParameterizedClass(name = "{0}")
@EveryDatabase
class FleetIndexUseTest {
  private static final StatementRecorder recorder = new StatementRecorder();
  private static TestDatabase database;
  private static FleetStores fleet;
  private static QueryCost cost;

  private final TestDatabase.Kind kind;

  FleetIndexUseTest(TestDatabase.Kind kind) {
    this.kind = kind;
  }

  @BeforeParameterizedClassInvocation
  static void fill(TestDatabase.Kind kind) throws SQLException {
    database = kind.open();
    cost = new QueryCost(database);
    StoreConfig config = database.config();
    fleet =
        JdbcStores.over(
                recorder.over(
                    new DriverManagerDataSource(
                        config.effectiveUrl(), config.username(), config.password())),
                config.dialect())
            .stores()
            .console()
            .fleet();
    database.execute(
        """
        INSERT INTO jt_worker
          (worker_id, node_group, process, tracker, address, slots, begun, held, held_ids,
           connected_at, last_pull_at, draining)
        SELECT CONCAT('worker-', 100000 + x), CONCAT('group-', MOD(x, 10)), 0, 0, 'a', 1, 0, 0, '',
          0, x, MOD(x, 1000) = 0
        FROM %s\
        """
            .formatted(kind.numbers(20_000)));
    database.execute(
        """
        INSERT INTO jt_group_load
        SELECT CONCAT('load-', 100000 + x), 0, 0, 1, FALSE, x, NULL, 0, 0, 0, 0, 0, 0
        FROM %s\
        """
            .formatted(kind.numbers(2_000)));
    database.execute(
        """
        INSERT INTO jt_node_group
          (name, table_name, schema_version, owner, epoch, created_at, write_seq)
        SELECT CONCAT('load-', 100000 + x), CONCAT('jt_waiting_load_', x), 99, MOD(x, 4), 1, 0, 0
        FROM %s\
        """
            .formatted(kind.numbers(2_000)));
    database.execute(
        """
        INSERT INTO jt_minute_count
        SELECT CONCAT('group-', MOD(x, 10)), 60000 * x, 1,
          1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
        FROM %s\
        """
            .formatted(kind.numbers(20_000)));
    database.execute(
        """
        INSERT INTO jt_hour_count
        SELECT CONCAT('hours-', MOD(x, 10)), 3600000 * x,
          1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
        FROM %s\
        """
            .formatted(kind.numbers(2_000)));
  }

  @AfterParameterizedClassInvocation
  static void closeDatabase() throws SQLException {
    cost.close();
    database.close();
  }

  @Test
  void pagesOfWorkersAreRangeReadsWithoutASort() throws SQLException {
    WorkerStore workers = fleet.workers();
    WorkerStore.WorkerKey middle = new WorkerStore.WorkerKey("worker-110000", "group-0");

    assertThat(workers.list(middle, 50)).hasSize(50);
    Recorded all = lastQuery();
    assertThat(plan(all)).satisfies(this::doesNotSort);
    assertThat(rowsRead(all)).isBetween(50L, 53L);

    assertThat(workers.list("group-3", "worker-110000", 50)).hasSize(50);
    Recorded ofGroup = lastQuery();
    assertThat(plan(ofGroup)).contains("ix_worker_group").satisfies(this::doesNotSort);
    assertThat(rowsRead(ofGroup)).isBetween(50L, 52L);

    assertThat(workers.list(new Search(null, null), Direction.DESCENDING, middle, 50)).hasSize(50);
    Recorded descending = lastQuery();
    assertThat(plan(descending)).satisfies(this::doesNotSort);
    assertThat(rowsRead(descending)).isBetween(50L, 53L);

    assertThat(workers.deleteGone(middle, 50, 0).lookedAt()).isEqualTo(50);
    assertThat(rowsRead(lastQuery())).isBetween(50L, 53L);
    assertThat(workers.find("worker-100007", 10)).hasSize(1);
    assertThat(rowsRead(lastQuery())).isLessThanOrEqualTo(2);
    assertThat(workers.find("worker-100007", "group-7")).isPresent();
    assertThat(rowsRead(lastQuery())).isLessThanOrEqualTo(2);
  }

  @Test
  void progressOfAPageIsLookedUpByItsWorkers() throws SQLException {
    List<String> workers = IntStream.range(0, 50).mapToObj(i -> "worker-" + (100_100 + i)).toList();

    assertThat(fleet.workers().progress(workers, Set.of(1L, 2L))).isEmpty();

    assertThat(rowsRead(lastQuery())).as("a row for each worker").isLessThan(200);
  }

  @Test
  void workersThatDrainAreFoundAmongManyThatDoNot() throws SQLException {
    WorkerStore workers = fleet.workers();

    assertThat(workers.draining(100)).hasSize(20);
    Recorded all = lastQuery();
    assertThat(plan(all)).contains("ix_worker_draining").satisfies(this::doesNotSort);
    assertThat(rowsRead(all)).isBetween(20L, 22L);

    assertThat(workers.draining("group-0", 5)).hasSize(5);
    Recorded ofGroup = lastQuery();
    assertThat(plan(ofGroup)).contains("ix_worker_draining").satisfies(this::doesNotSort);
    assertThat(rowsRead(ofGroup)).isBetween(5L, 7L);
  }

  @Test
  void pagesOfNodeGroupsAndThoseThatAreLateAreRangeReadsWithoutASort() throws SQLException {
    GroupLoadStore groups = fleet.groups();

    assertThat(groups.list("load-100500", 50)).hasSize(50);
    Recorded page = lastQuery();
    assertThat(plan(page)).satisfies(this::doesNotSort);
    assertThat(rowsRead(page))
        .as("groups, and their loads, which H2 looks at twice")
        .isBetween(100L, 153L);

    assertThat(groups.mostOverdue(1_000, 10)).hasSize(10);
    Recorded late = lastQuery();
    assertThat(plan(late)).contains("ix_group_load_oldest").satisfies(this::doesNotSort);
    assertThat(rowsRead(late))
        .as("loads, and their groups, which H2 looks at twice")
        .isBetween(20L, 33L);

    assertThat(groups.find("load-100500")).isPresent();
    assertThat(rowsRead(lastQuery())).isLessThanOrEqualTo(4);
  }

  @Test
  void sumsOverNodeGroupsReadARowForEach() throws SQLException {
    GroupLoadStore groups = fleet.groups();

    assertThat(groups.totals(0).groups()).isEqualTo(2_000);
    assertThat(rowsRead(lastQuery())).isBetween(2_000L, 2_002L);
    assertThat(groups.largestBacklogs(20)).hasSize(20);
    assertThat(rowsRead(lastQuery()))
        .as("groups, and their loads, which H2 looks at twice")
        .isBetween(4_000L, 6_100L);
    assertThat(groups.withoutWorkers(20)).hasSize(20);
    assertThat(rowsRead(lastQuery())).isBetween(20L, 2_002L);
    assertThat(groups.groupsByOwner()).hasSize(4);
    Recorded owners = lastQuery();
    assertThat(plan(owners)).contains("ix_node_group_owner");
    assertThat(rowsRead(owners)).isBetween(2_000L, 2_003L);
  }

  @Test
  void countsOfMinutesAreRangeReadsOfTheirGroup() throws SQLException {
    MinuteCountStore counts = fleet.counts();
    long from = 60_000L * 10_000;

    assertThat(counts.minutes("group-3", from, from + 60_000L * 1_000)).hasSize(100);
    Recorded minutes = lastQuery();
    switch (kind) {
      case H2 -> assertThat(plan(minutes)).contains("group sorted");
      case MARIADB, NAMED -> assertThat(plan(minutes)).satisfies(this::doesNotSort);
    }
    assertThat(rowsRead(minutes)).isBetween(100L, 102L);

    assertThat(counts.sum("group-3", from, from + 60_000L * 1_000).get(Counts.Of.RAN))
        .isEqualTo(100);
    assertThat(rowsRead(lastQuery())).isBetween(100L, 102L);

    assertThat(counts.moveToHours(60_000L, 100)).isLessThanOrEqualTo(1);
    assertThat(recorder.take())
        .filteredOn(statement -> statement.sql().endsWith("FOR UPDATE"))
        .singleElement()
        .satisfies(some -> assertThat(plan(some)).contains("ix_minute_count_minute"));
    counts.deleteHoursBefore(0, 100);
    assertThat(plan(lastQuery())).contains("ix_hour_count_hour");
  }

  @Test
  void countsOfHoursAreRangeReadsOfBothTables() throws SQLException {
    long from = 3_600_000L * 200;

    assertThat(fleet.counts().hours("hours-3", from, from + 3_600_000L * 100)).hasSize(10);
    assertThat(rowsRead(lastQuery())).isBetween(10L, 14L);
    assertThat(fleet.counts().hours("group-3", from, from + 3_600_000L * 2)).hasSize(2);
    assertThat(rowsRead(lastQuery()))
        .as("minutes, which a server looks up once more in the table that adds them up")
        .isBetween(12L, 32L);
  }

  private Recorded lastQuery() {
    List<Recorded> queries = recorder.take();
    return queries.get(queries.size() - 1);
  }

  private void doesNotSort(String plan) {
    cost.assertDoesNotSort(plan);
  }

  private String plan(Recorded query) throws SQLException {
    return cost.plan(query);
  }

  private long rowsRead(Recorded query) throws SQLException {
    return cost.rowsRead(query);
  }

  /** No index has this order, so all workers are read, and one page of their rows. */
  @Test
  void sortedWorkersAreReadOnceAndTheirRowsForOnePage() throws SQLException {
    assertThat(fleet.workers().rank(new Search(null, null), Rank.FREE_SLOTS, null, 50, 20_000))
        .hasValueSatisfying(page -> assertThat(page.workers()).hasSize(50));

    List<Recorded> queries = recorder.take();
    assertThat(queries).hasSize(3);
    assertThat(rowsRead(queries.get(1)))
        .as("the rows, their copies, and once more as sorted")
        .isBetween(20_000L, 60_100L);
    assertThat(rowsRead(queries.get(2))).isBetween(50L, 160L);
  }
}
