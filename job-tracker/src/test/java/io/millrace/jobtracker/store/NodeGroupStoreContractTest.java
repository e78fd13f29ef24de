package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.ended;
import static io.millrace.jobtracker.store.StoreRows.executing;
import static io.millrace.jobtracker.store.StoreRows.job;
import static io.millrace.jobtracker.store.StoreRows.oneShot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.NodeGroupStore.TooManyNodeGroupsException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeGroupStoreContractTest extends StoreContract {
  private NodeGroupStore store;

  @BeforeEach
  void takeStore() {
    store = stores.nodeGroups();
  }

  private int existing() {
    return store.all().size();
  }

  @Test
  void newGroupHasATableAndNoOwner() {
    NodeGroup group = store.ensure("Orders.EU-1", 1_000);

    assertThat(group)
        .isEqualTo(new NodeGroup("Orders.EU-1", "jt_waiting__orders_0_e_u_11", null, 0));
    assertThat(store.find("Orders.EU-1")).contains(group);
    assertThat(store.all()).contains(group);
    assertThat(store.ensure("Orders.EU-1", 0)).isEqualTo(group);
    assertThat(database.count(group.tableName())).isZero();
  }

  /** A tracker of the version before makes such tables for as long as it runs. */
  private String groupOfVersionOne(String name) {
    store.ensure(name, 1_000);
    String table = "jt_waiting_" + name;
    makeOldIndex(table);
    for (String column :
        List.of(
            "begun", "submission_id", "submitted_by", "replay_of", "next_at", "lane", "stick_to")) {
      database.execute("ALTER TABLE " + table + " DROP COLUMN " + column);
    }
    database.execute("UPDATE jt_node_group SET schema_version = 1 WHERE name = '" + name + "'");
    database.execute(
        "INSERT INTO "
            + table
            + " VALUES (7, 'a', 5000, 0, 7, 1, 5000, 5000, 100, 1, 4000, NULL, 0, NULL)");
    return table;
  }

  private void makeOldIndex(String table) {
    String index = kind.isServer() ? "ix_due" : table + "_due";
    database.execute("DROP INDEX " + index + (kind.isServer() ? " ON " + table : ""));
    database.execute("CREATE INDEX " + index + " ON " + table + " (priority, due_at, id)");
  }

  private void assertUpgraded(String name) {
    assertThat(stores.waiting().findByTask(name, "a"))
        .singleElement()
        .matches(row -> !row.begun() && row.submission() == null);
    assertThat(
            database.query("SELECT schema_version FROM jt_node_group WHERE name = '" + name + "'"))
        .containsExactly("5");
  }

  @Test
  void tableOfTheVersionBeforeIsBroughtUpToDateWithItsRows() {
    groupOfVersionOne("olda");
    store.ensure("olda", 1_000);
    assertUpgraded("olda");

    groupOfVersionOne("oldb");
    assertThat(store.takeOwnership("oldb", 1, 0)).isTrue();
    assertUpgraded("oldb");

    groupOfVersionOne("oldc");
    database.anotherTracker();
    assertUpgraded("oldc");
  }

  @Test
  void trackersThatBringOneTableUpToDateAtTheSameTimeAllGoOn() {
    Stores other = database.anotherTracker();
    try (Racer racer = new Racer()) {
      for (int round = 0; round < 3; round++) {
        String name = "oldrace" + round;
        groupOfVersionOne(name);
        List<Callable<NodeGroup>> makers =
            IntStream.range(0, 4)
                .<Callable<NodeGroup>>mapToObj(
                    i -> () -> (i % 2 == 0 ? stores : other).nodeGroups().ensure(name, 1_000))
                .toList();
        assertThat(racer.together(makers)).hasSize(4);
        assertUpgraded(name);
      }
    }
  }

  @Test
  void groupsWhoseNamesDifferInCaseHaveTablesOfTheirOwn() {
    store.ensure("invoices", 1_000);
    store.ensure("Invoices", 1_000);
    stores.waiting().insert("invoices", List.of(oneShot("a")));

    assertThat(stores.waiting().findOneShots("Invoices", List.of("a"))).isEmpty();
    assertThat(store.find("INVOICES")).isEmpty();
  }

  @Test
  void longestNameHasATable() {
    String longest = "Z".repeat(64);
    store.ensure(longest, 1_000);

    stores.waiting().insert(longest, List.of(oneShot("a")));

    assertThat(stores.waiting().findOneShots(longest, List.of("a"))).hasSize(1);
  }

  @Test
  void badNameMakesNothing() {
    assertThatThrownBy(() -> store.ensure("no spaces", 1_000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no spaces");
    assertThat(store.find("no spaces")).isEmpty();
  }

  @Test
  void groupBeyondTheBoundIsRefusedAndLeavesNoTable() {
    int bound = existing();

    assertThatThrownBy(() -> store.ensure("toomany", bound))
        .isInstanceOf(TooManyNodeGroupsException.class)
        .hasMessageContaining("toomany");

    assertThat(existing()).isEqualTo(bound);
    assertThatThrownBy(() -> database.count("jt_waiting_toomany"))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void isNotMadeInsideATransaction() {
    assertThatThrownBy(
            () -> stores.transactions().run("outer", () -> store.ensure("inside", 1_000)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("inside");
  }

  @Test
  void trackersThatMakeOneGroupAtTheSameTimeAllGetIt() {
    Stores other = database.anotherTracker();
    try (Racer racer = new Racer()) {
      for (int round = 0; round < 10; round++) {
        String name = "race-" + round;
        List<Callable<NodeGroup>> makers =
            IntStream.range(0, 4)
                .<Callable<NodeGroup>>mapToObj(
                    i -> () -> (i % 2 == 0 ? stores : other).nodeGroups().ensure(name, 1_000))
                .toList();

        assertThat(racer.together(makers)).containsOnly(store.find(name).orElseThrow());
        stores.waiting().insert(name, List.of(oneShot("a")));
      }
    }
  }

  @Test
  void groupIsMadeWhileOthersAreInTheMiddleOfTransactions() {
    Stores other = database.anotherTracker();
    stores
        .transactions()
        .run(
            "insert",
            () -> {
              stores.waiting().insert(nodeGroup, List.of(oneShot("a")));
              try (Racer racer = new Racer()) {
                Racer.resultOf(racer.start(() -> other.nodeGroups().ensure("meanwhile", 1_000)));
              }
            });

    assertThat(store.find("meanwhile")).isPresent();
  }

  @Test
  void ownershipIsTakenInTheExpectedEpochOnly() {
    assertThat(store.takeOwnership(nodeGroup, 3, 0)).isTrue();
    assertThat(store.takeOwnership(nodeGroup, 4, 0)).isFalse();

    assertThat(store.find(nodeGroup).orElseThrow())
        .satisfies(group -> assertThat(group.owner()).isEqualTo(3))
        .satisfies(group -> assertThat(group.epoch()).isEqualTo(1));
    assertThat(store.takeOwnership(nodeGroup, 4, 1)).isTrue();
    assertThat(store.find(nodeGroup).orElseThrow().epoch()).isEqualTo(2);
  }

  @Test
  void ownershipIsReleasedByItsHolderOnly() {
    store.takeOwnership(nodeGroup, 3, 0);

    store.release(nodeGroup, 4, 1);
    store.release(nodeGroup, 3, 0);
    assertThat(store.find(nodeGroup).orElseThrow().owner()).isEqualTo(3);

    store.release(nodeGroup, 3, 1);
    assertThat(store.find(nodeGroup).orElseThrow().owner()).isNull();
    assertThat(store.find(nodeGroup).orElseThrow().epoch()).isEqualTo(1);
  }

  @Test
  void isHandedOverByItsOwnerInItsEpochOnly() {
    store.takeOwnership(nodeGroup, 3, 0);

    assertThat(store.handOver(nodeGroup, 4, 1, 5)).isFalse();
    assertThat(store.handOver(nodeGroup, 3, 0, 5)).isFalse();
    assertThat(store.handOver(nodeGroup, 3, 1, 5)).isTrue();

    assertThat(store.find(nodeGroup).orElseThrow().owner()).isEqualTo(5);
    assertThat(store.find(nodeGroup).orElseThrow().epoch()).isEqualTo(2);
    assertThat(store.lockOwnership(nodeGroup, 3, 1)).as("the former owner is fenced").isFalse();
    assertThat(store.takeOwnership(nodeGroup, 5, 2)).isTrue();
  }

  @Test
  void ownershipIsLockedByItsHolderInItsEpochOnly() {
    store.takeOwnership(nodeGroup, 3, 0);

    assertThat(store.lockOwnership(nodeGroup, 3, 1)).isTrue();
    assertThat(store.lockOwnership(nodeGroup, 3, 1)).isTrue();
    assertThat(store.lockOwnership(nodeGroup, 3, 0)).isFalse();
    assertThat(store.lockOwnership(nodeGroup, 4, 1)).isFalse();
    assertThat(
            database.query("SELECT write_seq FROM jt_node_group WHERE name = '" + nodeGroup + "'"))
        .containsExactly("3");
  }

  @Test
  void oneOfTwoTrackersTakesTheGroup() {
    Stores other = database.anotherTracker();
    try (Racer racer = new Racer()) {
      for (int round = 0; round < 20; round++) {
        long epoch = round;
        Callable<Boolean> one = () -> store.takeOwnership(nodeGroup, 1, epoch);
        Callable<Boolean> two = () -> other.nodeGroups().takeOwnership(nodeGroup, 2, epoch);

        assertThat(racer.together(List.of(one, two))).containsExactlyInAnyOrder(true, false);
      }
    }
  }

  @Test
  void everyWaitingTableIsListedAndNothingElse() {
    store.ensure("Listed-1", 1_000);

    assertThat(store.tables())
        .contains("jt_waiting__listed_11")
        .containsAll(store.all().stream().map(NodeGroup::tableName).toList())
        .allMatch(name -> name.startsWith("jt_waiting_"));
  }

  @Test
  void sizesOfTablesAreThereForEachAndNeverNegative() {
    store.ensure("Sized-1", 1_000);

    assertThat(store.tableBytes())
        .containsKeys("jt_waiting__sized_11", "jt_job", "jt_job_log")
        .allSatisfy((table, bytes) -> assertThat(bytes).isNotNegative());
  }

  @Test
  void sizesOfTablesAreThereBesideForeignTablesThatDifferOnlyInCase() {
    String quote = kind.isServer() ? "`" : "\"";
    List<String> foreign = List.of(quote + "foreign" + quote, quote + "Foreign" + quote);
    foreign.forEach(table -> database.execute("CREATE TABLE IF NOT EXISTS " + table + " (id INT)"));
    try {
      assertThat(store.tableBytes()).containsKeys("foreign", "jt_job");
    } finally {
      foreign.forEach(table -> database.execute("DROP TABLE IF EXISTS " + table));
    }
  }

  @Test
  void groupOfATableIsSpelledByItsNameOrMentionedElsewhere() {
    String inJobs = "j".repeat(60);
    String executing = "x".repeat(60);
    String ended = "h".repeat(60);
    stores.jobs().insert(job(inJobs, "a"));
    stores.executing().insert(List.of(executing(executing, "a")));
    stores.ledger().append(List.of(ended(ended, "a", LedgerStatus.DEAD)));

    assertThat(store.nodeGroupOf("jt_waiting__orders_0_e_u_11")).contains("Orders.EU-1");
    assertThat(store.nodeGroupOf(tableOf(inJobs))).contains(inJobs);
    assertThat(store.nodeGroupOf(tableOf(executing))).contains(executing);
    assertThat(store.nodeGroupOf(tableOf(ended))).contains(ended);
    assertThat(store.nodeGroupOf(tableOf("n".repeat(60)))).isEmpty();
    assertThat(store.nodeGroupOf("jt_waiting_ORDERS")).isEmpty();
    assertThat(store.nodeGroupOf("jt_waiting_")).isEmpty();
    assertThat(store.nodeGroupOf("jt_waiting_a_")).isEmpty();
    assertThat(store.nodeGroupOf("jt_job")).isEmpty();
  }

  /** The name of a group that is too long to be spelled out. */
  private String tableOf(String name) {
    return store.ensure(name, 10_000).tableName();
  }

  @Test
  void tableThatIsMissingIsMadeAgain() {
    NodeGroup group = store.ensure("tableless", 1_000);
    store.takeOwnership("tableless", 3, 0);
    database.execute("DROP TABLE " + group.tableName());

    store.restore("tableless");
    store.restore("tableless");

    stores.waiting().insert("tableless", List.of(oneShot("a")));
    assertThat(store.find("tableless").orElseThrow().epoch()).as("its row stays").isEqualTo(1);
  }

  /** An owner from before the row was lost must not take the new row for the one it holds. */
  @Test
  void rowThatIsMissingIsMadeAgainAboveEveryEpochThereWas() {
    store.ensure("rowless", 1_000);
    store.takeOwnership("rowless", 3, 0);
    stores.waiting().insert("rowless", List.of(oneShot("a")));
    database.execute("DELETE FROM jt_node_group WHERE name = 'rowless'");

    store.restore("rowless");

    NodeGroup restored = store.find("rowless").orElseThrow();
    assertThat(restored.owner()).isNull();
    assertThat(restored.epoch()).isGreaterThan(1_000_000);
    assertThat(store.lockOwnership("rowless", 3, 1)).isFalse();
    assertThat(store.takeOwnership("rowless", 4, restored.epoch())).isTrue();
    assertThat(stores.waiting().findOneShots("rowless", List.of("a"))).hasSize(1);
  }

  @Test
  void tableOfAnOlderVersionIsBroughtUpToDateWithItsRow() {
    NodeGroup group = store.ensure("aged", 1_000);
    makeOldIndex(group.tableName());
    for (String column :
        List.of(
            "begun", "submission_id", "submitted_by", "replay_of", "next_at", "lane", "stick_to")) {
      database.execute("ALTER TABLE " + group.tableName() + " DROP COLUMN " + column);
    }
    database.execute("DELETE FROM jt_node_group WHERE name = 'aged'");

    store.restore("aged");

    stores.waiting().insert("aged", List.of(oneShot("a")));
    assertThat(stores.waiting().findOneShots("aged", List.of("a"))).hasSize(1);
  }
}
