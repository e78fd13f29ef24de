package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.domain.trigger.StoredParams.NONE;
import static io.millrace.jobtracker.store.StoreRows.batch;
import static io.millrace.jobtracker.store.StoreRows.ended;
import static io.millrace.jobtracker.store.StoreRows.executing;
import static io.millrace.jobtracker.store.StoreRows.nextId;
import static io.millrace.jobtracker.store.StoreRows.oneShot;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
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
