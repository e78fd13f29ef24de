package io.millrace.jobtracker.group.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Job;
import io.millrace.internal.LogCapture;
import io.millrace.jobtracker.domain.lease.LeaseTable;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.fixture.Interruptions;
import io.millrace.jobtracker.fixture.RecordedSignals;
import io.millrace.jobtracker.store.NodeGroupStore;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.failure.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeGroupTablesTest {
  private static final String LONG = "l".repeat(60);

  private final HandTime time = new HandTime();
  private final RecordedSignals signals = new RecordedSignals(new LeaseTable(1_000, 60_000));
  private TestDatabase database;
  private Stores stores;
  private NodeGroupTables tables;
  private LogCapture log;

  @BeforeEach
  void openDatabase() {
    database = TestDatabase.h2();
    stores = database.stores();
    tables = new NodeGroupTables(stores.nodeGroups(), signals);
    log = new LogCapture(ReconcileReport.class);
  }

  @AfterEach
  void closeDatabase() {
    log.close();
    database.close();
  }

  private Reconciled lookTwice() {
    assertThat(look().isNothing()).as("at first sight it may be about to get its row").isTrue();
    assertThat(tables.isInDoubt()).isTrue();
    time.pass(Duration.ofMillis(NodeGroupTables.GRACE_MILLIS));
    Reconciled done = look();
    assertThat(tables.isInDoubt()).isFalse();
    return done;
  }

  private Reconciled look() {
    return tables.runOnce(time.millis());
  }

  private void assertWhole() {
    log.lines().clear();
    time.pass(Duration.ofMinutes(5));
    assertThat(look().isNothing()).isTrue();
    assertThat(tables.isInDoubt()).isFalse();
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void whatIsWholeIsLeftAlone() {
    assertWhole();
    stores.nodeGroups().ensure("orders", 10);
    stores.nodeGroups().ensure(LONG, 10);
    assertWhole();
  }

  @Test
  void groupWithoutATableGetsAnEmptyOneAndItsJobsTheirTriggers() {
    HandDrivenTracker tracker = new HandDrivenTracker(1, stores, time);
    tracker.submit(
        HandDrivenTracker.job("poll").every(Duration.ofMinutes(1)).build(),
        HandDrivenTracker.job("daily").cron("0 0 9 * * ?").relyOnPrevCycle(true).build());
    database.execute("DROP TABLE jt_waiting_orders");
    assertThatThrownBy(tracker::reconcile).isInstanceOf(StoreException.class);

    Reconciled done = look();

    assertThat(done.repaired()).isEqualTo(Map.of(Inconsistency.GROUP_WITHOUT_TABLE, 1));
    assertThat(log.lines())
        .containsExactly("WARN reconcile: " + done.first().get(0))
        .allMatch(line -> line.contains("node group orders had no table jt_waiting_orders"));
    assertThat(tracker.reconcile().count(Inconsistency.TRIGGER_MISSING)).isEqualTo(11);
    assertThat(tracker.reconcile().isNothing()).isTrue();
    assertThat(stores.waiting().findByTask("orders", "daily")).hasSize(1);
    assertWhole();
  }

  @Test
  void tableWithoutAGroupGetsItsRowAgain() {
    HandDrivenTracker tracker = new HandDrivenTracker(1, stores, time);
    tracker.submit(Job.builder("orders", "a").build());
    stores.nodeGroups().ensure("Orders.EU_1", 10);
    database.execute("DELETE FROM jt_node_group");

    Reconciled done = lookTwice();

    assertThat(done.repaired()).isEqualTo(Map.of(Inconsistency.TABLE_WITHOUT_GROUP, 2));
    assertThat(done.first())
        .containsExactlyInAnyOrder(
            "table jt_waiting_orders had no node group; node group orders was restored",
            "table jt_waiting__orders_0_e_u__1 had no node group; node group Orders.EU_1 was"
                + " restored");
    assertThat(signals.nodeGroups()).containsExactlyInAnyOrder("orders", "Orders.EU_1");
    assertWhole();
    HandDrivenTracker successor = new HandDrivenTracker(2, stores, time);
    assertThat(successor.worker("worker-1").take(5)).hasSize(1);
  }

  @Test
  void groupWithALongNameIsFoundByTheJobsThatMentionIt() {
    stores.nodeGroups().ensure(LONG, 10);
    HandDrivenTracker tracker = new HandDrivenTracker(1, stores, time);
    tracker.submit(Job.builder(LONG, "poll").every(Duration.ofMinutes(1)).build());
    database.execute("DELETE FROM jt_node_group WHERE name = '" + LONG + "'");

    assertThat(lookTwice().repaired()).isEqualTo(Map.of(Inconsistency.TABLE_WITHOUT_GROUP, 1));

    assertThat(stores.nodeGroups().find(LONG)).isPresent();
    assertWhole();
  }

  /** Said once a run, so that it is not forgotten, with what to do. */
  @Test
  void tableThatNobodyKnowsIsReportedAndLeftAlone() {
    String table = stores.nodeGroups().ensure(LONG, 10).tableName();
    database.execute("DELETE FROM jt_node_group");

    Reconciled done = lookTwice();

    assertThat(done.repaired()).isEmpty();
    assertThat(done.failed()).isEqualTo(1);
    assertThat(log.lines())
        .singleElement()
        .asString()
        .startsWith("WARN reconcile: table " + table + " has no node group")
        .contains("submit a job to its group")
        .contains("drop the table");
    look();
    assertThat(log.lines()).hasSize(2);
    stores.nodeGroups().ensure(LONG, 10);
    assertWhole();
  }

  @Test
  void bothDamagesTogetherAreRepaired() {
    for (String name : List.of("a", "b", "c", "d")) {
      stores.nodeGroups().ensure(name, 10);
    }
    database.execute("DELETE FROM jt_node_group WHERE name IN ('a', 'b')");
    database.execute("DROP TABLE jt_waiting_c");

    assertThat(look().repaired()).isEqualTo(Map.of(Inconsistency.GROUP_WITHOUT_TABLE, 1));
    time.pass(Duration.ofMillis(NodeGroupTables.GRACE_MILLIS));
    assertThat(look().repaired()).isEqualTo(Map.of(Inconsistency.TABLE_WITHOUT_GROUP, 2));

    assertWhole();
  }

  /** Its table is made, then its row: whoever looks in between sees the one without the other. */
  @Test
  void groupThatIsBeingMadeIsNotDamage() {
    for (String method : List.of("all", "tables")) {
      Stores interrupted =
          Interruptions.after(
              stores,
              NodeGroupStore.class,
              method,
              () -> stores.nodeGroups().ensure("made-after-" + method, 10));
      NodeGroupTables looking = new NodeGroupTables(interrupted.nodeGroups(), signals);

      assertThat(looking.runOnce(time.millis()).isNothing()).isTrue();
    }
    stores.nodeGroups().ensure("half", 10);
    database.execute("DELETE FROM jt_node_group WHERE name = 'half'");
    assertThat(look().isNothing()).isTrue();
    stores.nodeGroups().ensure("half", 10);
    assertWhole();
  }
}
