package io.millrace.jobtracker.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.domain.lease.LeaseTable;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.waiting.PriorityOrder;
import io.millrace.jobtracker.domain.waiting.WaitingHead;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.RecordedSignals;
import io.millrace.jobtracker.group.preload.PreLoader;
import io.millrace.jobtracker.store.EveryDatabase;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.jdbc.StatementRecorder.Recorded;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * What a load of the waiting head costs in rows read, asked of the database itself: as much as it
 * loads, and a step in the index for each priority, whatever waits.
 */
@ParameterizedClass(name = "{0}")
@EveryDatabase(takesLong = true)
class LoadCostTest {
  private static final int FEW = 1_000;

  /**
   * Enough to tell a cost that grows from one that does not, since rows are counted and not timed.
   * A million by {@code -Dmillrace.test.future-rows=1000000}.
   */
  private static final int MANY = Integer.getInteger("millrace.test.future-rows", 20_000);

  private static final Instant NOW = Instant.parse("2026-03-02T10:00:00Z");
  private static final Duration LOOK_AHEAD = Duration.ofSeconds(5);
  private static final int CAPACITY = 200;
  private static final int DRAINED = 10 * CAPACITY;
  private static final int MAX_AHEAD = 400;

  private static final StatementRecorder recorder = new StatementRecorder();
  private static TestDatabase database;
  private static SingleConnectionDataSource connections;
  private static QueryCost queryCost;
  private static Stores stores;

  private final TestDatabase.Kind kind;
  private final ManualClock clock = new ManualClock(NOW);
  private int insertedUpTo;
  private WaitingHead head = head(PriorityOrder.STRICT);

  LoadCostTest(TestDatabase.Kind kind) {
    this.kind = kind;
  }

  @BeforeParameterizedClassInvocation
  static void openDatabase(TestDatabase.Kind kind) throws SQLException {
    database = kind.open();
    queryCost = new QueryCost(database);
    StoreConfig config = database.config();
    connections =
        new SingleConnectionDataSource(
            config.effectiveUrl(), config.username(), config.password(), true);
    stores = JdbcStores.over(recorder.over(connections), config.dialect()).stores();
    stores.nodeGroups().ensure(HandDrivenTracker.GROUP, 10);
  }

  @AfterParameterizedClassInvocation
  static void closeDatabase() throws SQLException {
    queryCost.close();
    connections.destroy();
    database.close();
  }

  @BeforeEach
  void forgetStatements() {
    recorder.take();
  }

  @AfterEach
  void empty() throws SQLException {
    execute("TRUNCATE TABLE jt_waiting_orders");
  }

  @Test
  void loadCostsTheSameWithFewAndWithManyFutureRows() throws SQLException {
    insertDue(20, 1);
    insertSoon(30, 1);
    insertFuture(FEW, 1);
    Cost withFew = load(20, 30);
    insertFuture(MANY, 1);
    Cost withMany = load(20, 30);

    assertThat(withMany).isEqualTo(withFew);
    assertThat(withMany.rows()).isBetween(50L, 60L);
  }

  @Test
  void loadCostsOneStepForEachPriorityWithFewAndWithManyFutureRows() throws SQLException {
    insertDue(20, 50);
    insertSoon(30, 50);
    insertFuture(FEW, 50);
    Cost withFew = load(20, 30);
    insertFuture(MANY, 50);
    Cost withMany = load(20, 30);

    assertThat(withMany).isEqualTo(withFew);
    assertThat(withMany.rows())
        .as("the rows, 51 steps, and the ends of up to 50 ranges")
        .isBetween(50L + 51, 50L + steps(51) + 2 * 50);
  }

  /** With a commit for each of its reads, a load would ask twice as much of a server. */
  @Test
  void loadIsOneTransactionWithOnePriorityAndWithMany() throws SQLException {
    insertDue(20, 1);
    assertThat(load(20, 0).commits()).isEqualTo(1);

    insertSoon(30, 50);
    Cost withMany = load(20, 30);
    assertThat(withMany.statements()).isGreaterThan(51);
    assertThat(withMany.commits()).isEqualTo(1);
  }

  @Test
  void prioritiesThatHaveNothingDueSoonCostOneStepEach() throws SQLException {
    insertFuture(MANY, 50);

    Cost cost = load(0, 0);

    assertThat(cost.statements()).isEqualTo(51);
    assertThat(cost.rows()).isBetween(50L, 2 * steps(51));
  }

  /**
   * On H2 a step from level to level is up to three: in this lane, in those behind it, and a
   * choice.
   */
  private long steps(long levels) {
    return kind.isServer() ? levels : 3 * levels;
  }

  @Test
  void loadFromABacklogReadsAsManyRowsAsTheDequeTakes() throws SQLException {
    insertDue(MANY, 50);

    Cost cost = load(CAPACITY, 0);

    assertThat(cost.rows()).isBetween((long) CAPACITY, CAPACITY + 5L);
    assertThat(cost.statements()).as("the third finds nothing ahead").isEqualTo(3);
  }

  @Test
  void besideABacklogWhatFallsDueSoonIsReadToo() throws SQLException {
    insertDue(MANY, 1);
    insertSoon(30, 1);
    insertFuture(MANY, 1);

    Cost cost = load(CAPACITY, 30);

    assertThat(cost.rows()).isBetween(CAPACITY + 30L, CAPACITY + 30 + 6L);
  }

  @Test
  void manyRowsThatFallDueSoonAreReadUpToTheirBound() throws SQLException {
    insertSoon(MANY, 50);

    Cost cost = load(0, MAX_AHEAD);

    assertThat(cost.statements()).isLessThan(51 + 2 * 50);
    assertThat(cost.rows()).isBetween((long) MAX_AHEAD, 51L + 50 * (CAPACITY + 2) + 4 * MAX_AHEAD);
  }

  @Test
  void withAgeingABacklogOfManyPrioritiesCostsAFewTimesWhatTheDequeTakes() throws SQLException {
    head = head(PriorityOrder.ageing(Duration.ofMinutes(1)));
    insertDue(FEW * 10, 50);
    Cost withFew = load(CAPACITY, 0);
    head = head(PriorityOrder.ageing(Duration.ofMinutes(1)));
    execute("TRUNCATE TABLE jt_waiting_orders");
    insertDue(MANY, 50);
    insertFuture(MANY, 50);
    Cost withMany = load(CAPACITY, 0);

    for (Cost cost : List.of(withFew, withMany)) {
      assertThat(cost.statements()).isLessThan(51 + 50 + 20);
      assertThat(cost.rows()).isLessThan(51L + 50 * 34 + 4 * CAPACITY);
    }
  }

  @Test
  void drainThatReadsOnFromWhereMemoryEndsReadsEachRowAboutOnce() throws SQLException {
    insertDue(DRAINED, 3);
    assertThat(costOfDraining()).isBetween((long) DRAINED, DRAINED * 13L / 10);
  }

  @Test
  void drainOfABurstReadsEachRowAboutOnce() throws SQLException {
    insert(DRAINED, 1, "- 1");
    assertThat(costOfDraining()).isBetween((long) DRAINED, DRAINED * 13L / 10);
  }

  /** Rows read until all are claimed, each load begun as the deque runs low; checks the plans. */
  private long costOfDraining() throws SQLException {
    PreLoader preLoader = preLoader(head);
    long rows = 0;
    int drained = 0;
    while (drained < DRAINED) {
      recorder.take();
      PreLoader.Loaded loaded = preLoader.refill(clock.millis());
      assertThat(loaded.due()).isPositive();
      rows += rowsRead(recorder.take());
      while (head.hasDue() && !head.wantsLoad()) {
        long id = Objects.requireNonNull(head.takeForClaim(clock.millis(), clock.millis())).id();
        execute("DELETE FROM jt_waiting_orders WHERE id = " + id);
        head.settle(List.of(id));
        drained++;
      }
    }
    return rows;
  }

  private long rowsRead(List<Recorded> queries) throws SQLException {
    long rows = 0;
    for (Recorded query : queries) {
      assertThat(queryCost.plan(query))
          .contains(kind == TestDatabase.Kind.H2 ? "jt_waiting_orders_due" : "ix_due")
          .satisfies(queryCost::assertDoesNotSort);
      rows += queryCost.rowsRead(query);
    }
    return rows;
  }

  /** What a load costs: its statements, its commits, and the rows that are read. */
  private record Cost(int statements, int commits, long rows) {}

  /** Loads an empty head, and checks each query's plan on the way. */
  private Cost load(int due, int ahead) throws SQLException {
    WaitingHead empty = head(head.order());
    recorder.take();
    int unused = recorder.takeCommits();
    PreLoader.Loaded loaded = preLoader(empty).runOnce(clock.millis());
    int commits = recorder.takeCommits();
    assertThat(loaded).isEqualTo(new PreLoader.Loaded(due, ahead));

    List<Recorded> queries = recorder.take();
    return new Cost(queries.size(), commits, rowsRead(queries));
  }

  private PreLoader preLoader(WaitingHead empty) {
    return new PreLoader(
        HandDrivenTracker.memory(empty).heads().plain(),
        stores,
        HandDrivenTracker.sweep(
            stores, new IdSequence(1, 0), new RecordedSignals(new LeaseTable(1_000, 60_000))),
        new TimedExecutor(clock, new ManualTimer(clock), Runnable::run),
        new PreLoader.Ahead(LOOK_AHEAD, Duration.ZERO),
        () -> {},
        () -> {});
  }

  private static WaitingHead head(PriorityOrder order) {
    return new WaitingHead(
        CAPACITY, 1 << 20, MAX_AHEAD, HandDrivenTracker.MISFIRE_THRESHOLD, order);
  }

  private void insertDue(int rows, int priorities) throws SQLException {
    insert(rows, priorities, "- x");
  }

  private void insertSoon(int rows, int priorities) throws SQLException {
    insert(rows, priorities, "+ 1 + MOD(x, " + (LOOK_AHEAD.toMillis() - 1) + ")");
  }

  private void insertFuture(int rows, int priorities) throws SQLException {
    insert(rows, priorities, "+ 3600000 + x");
  }

  private void insert(int rows, int priorities, String dueIn) throws SQLException {
    insertedUpTo += rows;
    execute(
        """
        INSERT INTO jt_waiting_orders
        SELECT %1$d + x, CONCAT('task-', %1$d + x), 1, 0, 1, 1, x, %2$d %3$s, MOD(x, %4$d), 1, 0,
          NULL, 0, NULL, TRUE, NULL, NULL, NULL, NULL, 0, NULL
        FROM %5$s\
        """
            .formatted(insertedUpTo - rows, clock.millis(), dueIn, priorities, kind.numbers(rows)));
  }

  private static void execute(String sql) throws SQLException {
    try (Statement statement = connections.getConnection().createStatement()) {
      statement.execute(sql);
    }
  }
}
