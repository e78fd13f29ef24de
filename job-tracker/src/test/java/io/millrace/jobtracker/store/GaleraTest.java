package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.oneShot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.jdbc.JdbcStores;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Trackers over different nodes of a real cluster. */
@Tag("galera")
class GaleraTest {
  private static final String GROUP = "orders";

  private GaleraNodes nodes;

  @BeforeEach
  void makeDatabase() {
    nodes = new GaleraNodes();
  }

  @AfterEach
  void dropDatabase() {
    nodes.close();
  }

  // Aborted by the cluster.

  /** The answer comes to whatever is sent next: here, to the preparation of a new statement. */
  @RepeatedTest(3)
  void transactionThatTheClusterAbortsRunsAgainFromItsBeginning() {
    try (JdbcStores one = JdbcStores.open(nodes.config(0));
        JdbcStores other = JdbcStores.open(nodes.config(1))) {
      Stores stores = one.stores();
      stores.nodeGroups().ensure(GROUP, 10);
      WaitingTrigger contested = oneShot("contested");
      stores.waiting().insert(GROUP, List.of(contested, oneShot("free")));
      awaitWaiting(1, 2);
      List<WaitingTrigger> batch =
          IntStream.range(0, 10).mapToObj(number -> oneShot("new" + number)).toList();
      AtomicInteger runs = new AtomicInteger();

      int deleted =
          stores
              .transactions()
              .inTransaction(
                  "insert ten and claim one",
                  () -> {
                    stores.waiting().insert(GROUP, batch);
                    int won = stores.waiting().delete(GROUP, List.of(contested.id()));
                    if (runs.incrementAndGet() == 1) {
                      assertThat(other.stores().waiting().delete(GROUP, List.of(contested.id())))
                          .isEqualTo(1);
                      awaitWaiting(0, 1);
                    }
                    assertThat(stores.waiting().findByTask(GROUP, "new3", 0, 7)).hasSize(1);
                    return won;
                  });

      assertThat(runs).hasValue(2);
      assertThat(deleted).as("the other has claimed it").isZero();
      awaitWaiting(1, 11);
    }
  }

  /** A node applies what others have committed a moment later, tables too. */
  private void awaitWaiting(int node, int rows) {
    await()
        .ignoreExceptions()
        .until(
            () ->
                nodes
                    .query(node, "SELECT COUNT(*) FROM jt_waiting_orders")
                    .equals(List.of(String.valueOf(rows))));
  }

  /** A tracker that has moved to another node finds there what it wrote before. */
  @Test
  void nodeAnswersWhenItHasAppliedWhatWasCommittedOnOthers() {
    try (JdbcStores one = JdbcStores.open(nodes.config(0));
        JdbcStores other = JdbcStores.open(nodes.config(1))) {
      one.stores().nodeGroups().ensure(GROUP, 10);
      for (int written = 0; written < 200; written++) {
        WaitingTrigger trigger = oneShot("job" + written);
        one.stores().waiting().insert(GROUP, List.of(trigger));
        assertThat(other.stores().waiting().delete(GROUP, List.of(trigger.id()))).isEqualTo(1);
      }
    }
  }

  // Starts.

  @RepeatedTest(5)
  void twoTrackersThatStartAtOnceOnAnEmptyDatabaseBothServe() {
    bothServe();
  }

  @RepeatedTest(5)
  void twoTrackersThatStartAtOnceOnAnOlderDatabaseBothServe() {
    try (JdbcStores over = JdbcStores.open(nodes.config(2))) {
      over.stores().nodeGroups().ensure(GROUP, 10);
    }
    // As a tracker of version 5 left it.
    for (String sql :
        List.of(
            "DELETE FROM jt_schema_history WHERE version > '005'",
            "DROP TABLE jt_operator_token, jt_operator_session, jt_audit, jt_dead, jt_worker",
            "DROP TABLE jt_group_load, jt_minute_count",
            "ALTER TABLE jt_history DROP COLUMN trace_parent, DROP COLUMN replay_of",
            "DROP INDEX ix_node_group_owner ON jt_node_group",
            "ALTER TABLE jt_waiting_orders DROP COLUMN replay_of, DROP COLUMN submitted_by",
            "ALTER TABLE jt_waiting_orders DROP COLUMN begun, DROP COLUMN submission_id",
            "UPDATE jt_node_group SET schema_version = 1")) {
      nodes.query(2, sql);
    }

    bothServe();
  }

  private void bothServe() {
    try (Racer racer = new Racer()) {
      List<Future<JdbcStores>> starts =
          IntStream.range(0, 2)
              .mapToObj(node -> racer.start(() -> JdbcStores.open(nodes.config(node))))
              .toList();
      List<JdbcStores> both = starts.stream().map(Racer::resultOf).toList();
      for (JdbcStores over : both) {
        over.stores().nodeGroups().ensure(GROUP, 10);
        over.stores().waiting().insert(GROUP, List.of(oneShot("of" + both.indexOf(over))));
      }
      both.forEach(JdbcStores::close);
    }
    awaitWaiting(2, 2);
    assertThat(nodes.query(2, "SELECT version FROM jt_schema_history WHERE success"))
        .hasSizeGreaterThanOrEqualTo(9)
        .doesNotHaveDuplicates();
    assertThat(nodes.query(2, "SELECT version FROM jt_schema_history WHERE NOT success")).isEmpty();
  }

  // Several hosts.

  /** No node listens at the port before that of the first. */
  @Test
  void deadFirstHostIsPassedOver() {
    try (JdbcStores over = JdbcStores.open(nodes.configBehindADeadHost())) {
      over.stores().nodeGroups().ensure(GROUP, 10);
      over.stores().waiting().insert(GROUP, List.of(oneShot("a")));
    }

    awaitWaiting(1, 1);
  }

  /** It lets clients in and answers what the driver asks, and refuses everything else. */
  @Test
  void nodeThatHasLostItsClusterIsPassedOver() {
    nodes.query(0, "SET GLOBAL wsrep_reject_queries = ALL");
    try (JdbcStores over = JdbcStores.open(nodes.configOfAll())) {
      over.stores().nodeGroups().ensure(GROUP, 10);
      over.stores().waiting().insert(GROUP, List.of(oneShot("a")));
      awaitWaiting(1, 1);
    } finally {
      nodes.query(0, "SET GLOBAL wsrep_reject_queries = NONE");
    }
  }
}
