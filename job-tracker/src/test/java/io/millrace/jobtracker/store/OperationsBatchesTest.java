package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.domain.trigger.StoredParams.NONE;
import static io.millrace.jobtracker.store.StoreRows.batch;
import static io.millrace.jobtracker.store.StoreRows.ended;
import static io.millrace.jobtracker.store.StoreRows.executing;
import static io.millrace.jobtracker.store.StoreRows.nextId;
import static io.millrace.jobtracker.store.StoreRows.oneShot;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.batch.Ancestry;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.batch.BatchStop;
import io.millrace.jobtracker.domain.batch.PartCounts;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.Execution;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The questions of {@code scripts/sql} about runs that were split. */
class OperationsBatchesTest extends StoreContract {

  private Batch split(int parts, int released) {
    Batch whole = batch(nodeGroup, oneShot("close"), parts);
    Batch batch = whole.with(whole.counts().releasing(released));
    stores.batches().insert(List.of(batch));
    stores.executing().insert(List.of(executing(nodeGroup, batch.part(2, nextId(), NONE, 5_000))));
    stores.batches().countEnds(Map.of(batch.id(), new PartEnds(1, 0, 1, 0, 0)));
    for (LedgerStatus status :
        List.of(LedgerStatus.SUCCEEDED, LedgerStatus.RETRIED, LedgerStatus.DEAD)) {
      String task = "#" + batch.id();
      stores
          .ledger()
          .append(
              List.of(
                  ended(nextId(), nodeGroup, batch.id(), task, 4_999, status, "s", "disk full")));
    }
    return batch;
  }

  @Test
  void batchesShowHowFarEachIs() throws Exception {
    Batch batch = split(10, 6);

    List<Map<String, String>> rows =
        SqlScript.of(kind, "batches").run(database).stream()
            .filter(row -> nodeGroup.equals(row.get("node_group")))
            .toList();

    assertThat(rows).hasSize(1);
    assertThat(rows.get(0))
        .containsEntry("task_id", "close")
        .containsEntry("batch_id", "" + batch.id())
        .containsEntry("total", "10")
        .containsEntry("ended", "2")
        .containsEntry("dead", "1")
        .containsEntry("running", "1")
        .containsEntry("waiting_or_running", "4")
        .containsEntry("to_follow", "4")
        .containsEntry("state", "OPEN");
  }

  private List<Map<String, String>> stuck(long minutes) throws Exception {
    return SqlScript.of(kind, "stuck").with("minutes", minutes).run(database).stream()
        .filter(row -> nodeGroup.equals(row.get("node_group")))
        .toList();
  }

  /** A run that was split just now, and of which no part was released. */
  private Batch young(String task) {
    long now = stores.time().databaseNow();
    Execution run = executing(nodeGroup, oneShot(task));
    return Batch.opened(run, BatchKind.SHARDS, 2, Ancestry.ofRoot(run.id()), now);
  }

  @Test
  void stuckShowsRunsThatWereSplitLongAgo() throws Exception {
    Batch batch = split(10, 6);

    assertThat(stuck(60))
        .filteredOn(row -> row.containsKey("batch_id"))
        .singleElement()
        .satisfies(
            row ->
                assertThat(row)
                    .containsEntry("task_id", "close")
                    .containsEntry("batch_id", "" + batch.id())
                    .containsEntry("kind", "SHARDS")
                    .containsEntry("state", "OPEN")
                    .containsEntry("total", "10")
                    .containsEntry("ended", "2")
                    .containsEntry("waiting_or_running", "4")
                    .containsEntry("running", "1")
                    .containsEntry("to_follow", "4")
                    .containsEntry("lease", "no tracker serves its group"))
        .satisfies(
            row ->
                assertThat(row.get("minutes_since_last_part_ended"))
                    .as("the parts ended as it began")
                    .isEqualTo(row.get("minutes_under_way")));
  }

  @Test
  void stuckShowsRunsOfWhichNoPartWaitsOrRunsHoweverYoung() throws Exception {
    Batch none = young("none");
    Batch stopped = young("stopped");
    Batch released = young("released").with(PartCounts.of(2).releasing(2));
    Batch staged = Batch.staged(executing(nodeGroup, oneShot("staged")), 2, 0, Ancestry.ofRoot(1));
    stores.batches().insert(List.of(none, stopped, released, staged));
    assertThat(stores.batches().stop(List.of(stopped.id()), BatchStop.CANCELLED, "shop/ann"))
        .isEqualTo(1);

    assertThat(stuck(60))
        .extracting(row -> row.get("task_id") + " " + row.get("state") + " " + row.get("ended"))
        .containsExactly("none OPEN 0", "stopped STOPPING 2");
    assertThat(stuck(0)).extracting(row -> row.get("task_id")).doesNotContain("staged");
  }

  @Test
  void partsOfABatchAreListed() throws Exception {
    Batch batch = split(10, 6);
    split(4, 4);

    List<Map<String, String>> rows =
        SqlScript.of(kind, "batch-parts").with("batch_id", batch.id()).run(database);

    assertThat(rows).hasSize(1 + 3 + 2);
    assertThat(rows.get(0)).containsEntry("part", "2").containsEntry("worker_id", "worker-1");
    assertThat(rows.subList(1, 4))
        .extracting(row -> row.get("status") + " " + row.get("parts"))
        .containsExactly("DEAD 1", "RETRIED 1", "SUCCEEDED 1");
    assertThat(rows.subList(4, 6))
        .extracting(row -> row.get("status"))
        .containsExactly("DEAD", "RETRIED");
    assertThat(rows.get(4)).containsEntry("message", "disk full");
  }
}
