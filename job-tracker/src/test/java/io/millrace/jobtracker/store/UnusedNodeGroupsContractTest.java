package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.executing;
import static io.millrace.jobtracker.store.StoreRows.job;
import static io.millrace.jobtracker.store.StoreRows.oneShot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.domain.lease.LeaseTable;
import io.millrace.jobtracker.fixture.RecordedSignals;
import io.millrace.jobtracker.group.reconcile.Inconsistency;
import io.millrace.jobtracker.group.reconcile.NodeGroupTables;
import io.millrace.jobtracker.group.reconcile.Reconciled;
import io.millrace.jobtracker.store.NodeGroupStore.Bounds;
import io.millrace.jobtracker.store.NodeGroupStore.Creator;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.NodeGroupStore.TooManyNodeGroupsException;
import io.millrace.jobtracker.store.NodeGroupStore.Use;
import io.millrace.jobtracker.store.failure.StoreException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Node groups that nothing uses: how they are found and dropped, and what a crash leaves. */
class UnusedNodeGroupsContractTest extends StoreContract {
  private static final int OWNER = 7;
  private static final long SINCE = 600_000;

  private final RecordedSignals signals = new RecordedSignals(new LeaseTable(1_000, 60_000));
  private NodeGroupStore store;
  private String table;
  private String tableSetAside;

  @BeforeEach
  void takeGroup() {
    store = stores.nodeGroups();
    assertThat(store.takeOwnership(nodeGroup, OWNER, 0)).isTrue();
    table = store.find(nodeGroup).orElseThrow().tableName();
    tableSetAside = table.replace("jt_waiting_", "jt_unused_");
  }

  private boolean isUsed() {
    return store.isUsed(nodeGroup, SINCE);
  }

  private boolean drop() {
    return store.drop(nodeGroup, OWNER, 1, SINCE);
  }

  private void assertIsThere() {
    assertThat(store.tables()).contains(table);
    assertThat(store.tablesSetAside()).doesNotContain(table);
    assertThat(store.find(nodeGroup)).contains(new NodeGroup(nodeGroup, table, OWNER, 1));
  }

  // Use.

  @Test
  void groupIsUsedAsLongAsATriggerWaits() {
    assertThat(isUsed()).isFalse();
    stores.waiting().insert(nodeGroup, List.of(oneShot("a")));
    assertThat(isUsed()).isTrue();
  }

  @Test
  void groupIsUsedByAJobWhateverItsState() {
    stores.jobs().insert(job(nodeGroup, "a"));
    assertThat(isUsed()).isTrue();
    database.execute(
        "UPDATE jt_job SET state = 'CANCELLED' WHERE node_group = '%s'".formatted(nodeGroup));
    assertThat(isUsed()).isTrue();
  }

  @Test
  void groupIsUsedByADeclaredJobUntilItIsRetired() {
    database.execute(
        """
        INSERT INTO jt_declared (id, node_group, task_id, owner, definition, submission_id,
          declaration_id, page, change_kind, declared_at, reverts, write_seq)
        VALUES (%d, '%s', 'a', 'shop', '{}', 's', 'd', 0, 'ADDED', 1, 0, 0)\
        """
            .formatted(StoreRows.nextId(), nodeGroup));
    assertThat(isUsed()).isTrue();
    database.execute(
        "UPDATE jt_declared SET retired_at = 2 WHERE node_group = '%s'".formatted(nodeGroup));
    assertThat(isUsed()).isFalse();
  }

  @Test
  void groupIsUsedAsLongAsATriggerExecutes() {
    stores.executing().insert(List.of(executing(nodeGroup, "a")));
    assertThat(isUsed()).isTrue();
  }

  @Test
  void groupIsUsedAsLongAsARunIsSplit() {
    stores.batches().insert(List.of(StoreRows.batch(nodeGroup, oneShot("a"), 2)));
    assertThat(isUsed()).isTrue();
  }

  @Test
  void tableOfAGroupWithNothingButABatchIsFoundByIt() {
    stores.batches().insert(List.of(StoreRows.batch(nodeGroup, oneShot("a"), 2)));
    database.execute("DELETE FROM jt_node_group WHERE name = '%s'".formatted(nodeGroup));

    assertThat(healAfterGrace().repaired()).isEqualTo(Map.of(Inconsistency.TABLE_WITHOUT_GROUP, 1));

    assertThat(store.find(nodeGroup)).isPresent();
  }

  @Test
  void groupIsUsedByADeadTrigger() {
    database.execute(
        """
        INSERT INTO jt_dead (id, node_group, task_id, planned_at, ordinal, job_id, job_version,
          planned_for, priority, attempt, died_at, params_bytes, state)
        VALUES (%d, '%s', 'a', 5, 0, 1, 1, 5, 100, 1, 6, 0, 'OPEN')\
        """
            .formatted(StoreRows.nextId(), nodeGroup));
    assertThat(isUsed()).isTrue();
  }

  @Test
  void groupIsUsedByAWorker() {
    database.execute(
        """
        INSERT INTO jt_worker (worker_id, node_group, process, tracker, address, held, held_ids,
          connected_at, last_pull_at)
        VALUES ('w', '%s', 0, 1, 'local', 0, '', 1, 1)\
        """
            .formatted(nodeGroup));
    assertThat(isUsed()).isTrue();
  }

  @Test
  void groupIsUsedByWhatWasCountedFromTheMinuteBeforeOn() {
    countAt(SINCE - 60_000);
    assertThat(isUsed()).isFalse();
    countAt(SINCE - 59_999);
    assertThat(isUsed()).isTrue();
  }

  private void countAt(long minute) {
    database.execute(
        """
        INSERT INTO jt_minute_count (node_group, minute_at, tracker, planned, claimed, started,
          succeeded, failed, dead, cancelled, skipped, retried, rescued, given_back, late_sum,
          late_max, late_100ms, late_1s, late_10s, late_60s, ran, run_sum)
        VALUES ('%s', %d, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)\
        """
            .formatted(nodeGroup, minute));
  }

  @Test
  void ownerNotesSinceWhenNothingUsesAGroup() {
    assertThat(store.usesOfOwned(OWNER)).contains(new Use(nodeGroup, null));

    store.noteUse(nodeGroup, OWNER + 1, 5L);
    assertThat(store.usesOfOwned(OWNER)).as("not the owner").contains(new Use(nodeGroup, null));
    store.noteUse(nodeGroup, OWNER, 5L);
    assertThat(store.usesOfOwned(OWNER)).contains(new Use(nodeGroup, 5L));
    store.noteUse(nodeGroup, OWNER, null);
    assertThat(store.usesOfOwned(OWNER)).contains(new Use(nodeGroup, null));
    assertThat(store.usesOfOwned(OWNER + 1)).isEmpty();
  }

  // Dropping.

  @Test
  void droppedGroupIsGoneWithItsTableAndComesBackWhenItIsAskedFor() {
    assertThat(drop()).isTrue();

    assertThat(store.find(nodeGroup)).isEmpty();
    assertThat(store.tables()).doesNotContain(table);
    assertThat(store.tablesSetAside()).doesNotContain(table);
    assertThatThrownBy(() -> stores.waiting().insert(nodeGroup, List.of(oneShot("a"))))
        .isInstanceOf(StoreException.class);
    assertThat(store.ensure(nodeGroup, 10_000).epoch()).isZero();
    stores.waiting().insert(nodeGroup, List.of(oneShot("a")));
    assertThat(stores.waiting().findByTask(nodeGroup, "a")).hasSize(1);
  }

  @Test
  void groupThatIsUsedAfterAllStaysWithWhatWaits() {
    stores.waiting().insert(nodeGroup, List.of(oneShot("a")));

    assertThat(drop()).isFalse();

    assertIsThere();
    assertThat(stores.waiting().findByTask(nodeGroup, "a")).hasSize(1);
  }

  @Test
  void groupWithAJobThatHasNothingWaitingStays() {
    stores.jobs().insert(job(nodeGroup, "a"));

    assertThat(drop()).isFalse();

    assertIsThere();
  }

  @Test
  void onlyTheOwnerInItsEpochDropsAGroup() {
    assertThat(store.drop(nodeGroup, OWNER, 0, SINCE)).isFalse();
    assertThat(store.drop(nodeGroup, OWNER + 1, 1, SINCE)).isFalse();

    assertIsThere();
  }

  @Test
  void isNotDroppedInsideATransaction() {
    assertThatThrownBy(() -> stores.transactions().run("outer", this::drop))
        .isInstanceOf(IllegalStateException.class);
    assertIsThere();
  }

  /** Of a tracker that is stalled in the middle of a submit. */
  @Test
  void groupStaysWhileATransactionThatHasWrittenGoesOn() {
    Stores other = database.anotherTracker();
    stores
        .transactions()
        .run(
            "stalled",
            () -> {
              stores.waiting().insert(nodeGroup, List.of(oneShot("a")));
              try (Racer racer = new Racer()) {
                assertThatThrownBy(
                        () ->
                            Racer.resultOf(
                                racer.start(
                                    () -> other.nodeGroups().drop(nodeGroup, OWNER, 1, SINCE))))
                    .isInstanceOf(StoreException.class);
              }
            });

    healAfterGrace();
    assertIsThere();
    assertThat(stores.waiting().findByTask(nodeGroup, "a")).hasSize(1);
    assertThat(drop()).isFalse();
    assertIsThere();
  }

  // What a crash leaves.

  private Reconciled healAfterGrace() {
    NodeGroupTables tables = new NodeGroupTables(store, signals);
    Reconciled unused = tables.runOnce(0);
    return tables.runOnce(NodeGroupTables.GRACE_MILLIS);
  }

  private void rename(String from, String to) {
    database.execute("ALTER TABLE " + from + " RENAME TO " + to);
  }

  @Test
  void tableThatWasSetAsideWithRowsIsBroughtBackWithThem() {
    stores.waiting().insert(nodeGroup, List.of(oneShot("a")));
    rename(table, tableSetAside);
    assertThat(store.tablesSetAside()).contains(table);

    assertThat(healAfterGrace().repaired()).isEqualTo(Map.of(Inconsistency.GROUP_WITHOUT_TABLE, 1));

    assertIsThere();
    assertThat(stores.waiting().findByTask(nodeGroup, "a")).hasSize(1);
  }

  @Test
  void tableThatIsSetAsideForAMomentIsNotDamage() {
    rename(table, tableSetAside);

    NodeGroupTables tables = new NodeGroupTables(store, signals);
    assertThat(tables.runOnce(0).isNothing()).isTrue();
    assertThat(tables.isInDoubt()).isTrue();

    rename(tableSetAside, table);
    assertThat(tables.runOnce(NodeGroupTables.GRACE_MILLIS).isNothing()).isTrue();
  }

  @Test
  void tableWhoseRowWasDeletedAlreadyIsAWholeGroupAgain() {
    rename(table, tableSetAside);
    database.execute("DELETE FROM jt_node_group WHERE name = '%s'".formatted(nodeGroup));

    assertThat(healAfterGrace().repaired()).isEqualTo(Map.of(Inconsistency.TABLE_WITHOUT_GROUP, 1));

    assertThat(store.tables()).contains(table);
    assertThat(store.tablesSetAside()).doesNotContain(table);
    assertThat(store.find(nodeGroup)).isPresent();
    stores.waiting().insert(nodeGroup, List.of(oneShot("a")));
  }

  @Test
  void submitDoesNotWaitForTheTableThatACrashLeftAside() {
    rename(table, tableSetAside);
    database.execute("DELETE FROM jt_node_group WHERE name = '%s'".formatted(nodeGroup));

    store.ensure(nodeGroup, 10_000);

    stores.waiting().insert(nodeGroup, List.of(oneShot("a")));
    assertThat(store.tablesSetAside()).doesNotContain(table);
  }

  /** A tracker of the version before makes what is missing without a look at what is aside. */
  @Test
  void rowsOfATableThatWasMadeAnewMeanwhileAreJoined() {
    stores.waiting().insert(nodeGroup, List.of(oneShot("a"), oneShot("b")));
    rename(table, tableSetAside);
    database.execute(
        "CREATE TABLE %s AS SELECT * FROM %s WHERE task_id = 'b'".formatted(table, tableSetAside));

    assertThat(healAfterGrace().repaired()).isEqualTo(Map.of(Inconsistency.GROUP_WITHOUT_TABLE, 1));

    assertIsThere();
    assertThat(stores.waiting().findByTask(nodeGroup, "a")).hasSize(1);
    assertThat(stores.waiting().findByTask(nodeGroup, "b")).hasSize(1);
  }

  @Test
  void jobsWhoseGroupIsGoneGetItBack() {
    stores.jobs().insert(job(nodeGroup, "a"));
    database.execute("DROP TABLE " + table);
    database.execute("DELETE FROM jt_node_group WHERE name = '%s'".formatted(nodeGroup));

    assertThat(healAfterGrace().repaired()).isEqualTo(Map.of(Inconsistency.JOB_WITHOUT_GROUP, 1));

    assertThat(store.tables()).contains(table);
    assertThat(store.find(nodeGroup)).isPresent();
    assertThat(signals.nodeGroups()).contains(nodeGroup);
  }

  // Bounds.

  @Test
  void eachCreatorHasABoundOfItsOwn() {
    Bounds bounds = new Bounds(10_000, 2);
    for (Creator creator : List.of(Creator.client("worker"), Creator.client(""), Creator.WORKERS)) {
      store.ensure(newName(), creator, bounds);
      String second = newName();
      store.ensure(second, creator, bounds);

      assertThatThrownBy(() -> store.ensure("one-more", creator, bounds))
          .isInstanceOf(TooManyNodeGroupsException.class)
          .hasMessage(
              "node group one-more would exceed the limit of 2 node groups created by %s: use"
                      .formatted(creator.description())
                  + " an existing node group, or ask an operator to remove some or to raise"
                  + " tracker.max-node-groups-of-client-group");
      assertThat(store.ensure(second, creator, bounds).name()).isEqualTo(second);
      database.execute("DELETE FROM jt_node_group WHERE name = '%s'".formatted(second));
      store.ensure(newName(), creator, bounds);
    }
    assertThat(store.tables()).doesNotContain("jt_waiting_one_1more");
    store.ensure(newName(), Creator.UNCOUNTED, bounds);
    healAfterGrace(); // the tables whose rows were deleted, which other tests would count
  }

  @Test
  void longestClientGroupIsNoted() {
    String longest = "\uD83D\uDE00".repeat(64) + "x".repeat(64);

    store.ensure(newName(), Creator.client(longest), new Bounds(10_000, 1));

    assertThatThrownBy(
            () -> store.ensure(newName(), Creator.client(longest), new Bounds(10_000, 1)))
        .isInstanceOf(TooManyNodeGroupsException.class);
  }

  private static String newName() {
    return "made-" + StoreRows.nextId();
  }
}
