package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.domain.trigger.StoredParams.NONE;
import static io.millrace.jobtracker.store.StoreRows.batch;
import static io.millrace.jobtracker.store.StoreRows.ended;
import static io.millrace.jobtracker.store.StoreRows.executing;
import static io.millrace.jobtracker.store.StoreRows.nextId;
import static io.millrace.jobtracker.store.StoreRows.oneShot;
import static io.millrace.jobtracker.store.StoreRows.params;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchStats;
import io.millrace.jobtracker.domain.batch.PartCounts;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.store.batch.BatchViewStore;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BatchViewStoreContractTest extends StoreContract {
  private BatchViewStore store;

  @BeforeEach
  void takeStore() {
    store = stores.batchViews();
  }

  private Batch opened(String taskId, int parts) {
    Batch open = batch(nodeGroup, oneShot(taskId, params("{\"a\":\"b\"}")), parts);
    Batch batch = open.with(open.counts().releasing(parts));
    stores.batches().insert(List.of(batch));
    return batch;
  }

  private void runs(Batch batch, int number) {
    stores
        .executing()
        .insert(List.of(executing(nodeGroup, batch.part(number, nextId(), NONE, 5_000))));
  }

  private static List<Long> ids(List<Batch> batches) {
    return batches.stream().map(Batch::id).toList();
  }

  @Test
  void batchesOfAGroupAreListedByPages() {
    Batch first = opened("a", 2);
    Batch ended = opened("b", 1);
    stores.batches().countEnds(Map.of(ended.id(), new PartEnds(1, 0, 0, 0, 0)));
    Batch last = opened("c", 2);
    Batch other = batch(newNodeGroup(), oneShot("a"), 2);
    stores.batches().insert(List.of(other));

    assertThat(ids(store.list(nodeGroup, 0, 10)))
        .containsExactly(first.id(), ended.id(), last.id());
    assertThat(ids(store.list(nodeGroup, 0, 2))).containsExactly(first.id(), ended.id());
    assertThat(ids(store.list(nodeGroup, ended.id(), 2))).containsExactly(last.id());
    assertThat(ids(store.list(null, first.id() - 1, 4)))
        .containsExactly(first.id(), ended.id(), last.id(), other.id());
  }

  @Test
  void parametersAreLeftInTheStore() {
    Batch batch = opened("a", 2);

    assertThat(store.list(nodeGroup, 0, 1).get(0).run().params().isLeftInStore()).isTrue();
    Batch found = store.find(List.of(batch.id(), nextId())).get(0);
    assertThat(found.run().params().isLeftInStore()).isTrue();
    assertThat(found.counts()).isEqualTo(PartCounts.of(2).releasing(2));
  }

  @Test
  void partsAtWorkersAndThoseThatWereSplitAreCounted() {
    Batch batch = opened("a", 4);
    Batch idle = opened("b", 4);
    runs(batch, 1);
    runs(batch, 3);
    stores.batches().insert(List.of(batch(nodeGroup, batch.part(4, nextId(), NONE, 5_000), 2)));

    assertThat(store.countRunning(nodeGroup, List.of(batch.id(), idle.id())))
        .isEqualTo(Map.of(batch.id(), 3));
    assertThat(store.countRunning(newNodeGroup(), List.of(batch.id()))).isEmpty();
    assertThat(store.countRunning(nodeGroup, List.of())).isEmpty();
  }

  @Test
  void batchesUnderWayOfAGroupAreAddedUp() {
    assertThat(store.stats(nodeGroup, 10, 9_000)).isEqualTo(BatchStats.NONE);
    Batch first = opened("a", 4);
    stores.batches().countEnds(Map.of(first.id(), new PartEnds(1, 0, 1, 0, 0)));
    Batch ended = opened("b", 1);
    stores.batches().countEnds(Map.of(ended.id(), new PartEnds(1, 0, 0, 0, 0)));
    Batch whole = batch(nodeGroup, oneShot("c"), 9);
    stores.batches().insert(List.of(whole.with(whole.counts().releasing(5))));

    assertThat(store.stats(nodeGroup, 10, 9_000))
        .isEqualTo(new BatchStats(2, 2, 1, 7, 4, 9_000 - whole.run().claimedAt()));
    assertThat(store.stats(nodeGroup, 1, 9_000).open()).isEqualTo(1);
  }

  @Test
  void endsOfPartsAreCountedUpToABound() {
    long batchId = nextId();
    for (LedgerStatus status :
        List.of(
            LedgerStatus.SUCCEEDED,
            LedgerStatus.SUCCEEDED,
            LedgerStatus.RETRIED,
            LedgerStatus.DEAD)) {
      stores
          .ledger()
          .append(
              List.of(
                  ended(nextId(), nodeGroup, batchId, "#" + batchId, 4_999, status, "s", "done")));
    }

    BatchViewStore.Ends all = store.countEnds(batchId, 10);
    assertThat(all.parts())
        .isEqualTo(
            Map.of(LedgerStatus.SUCCEEDED, 2L, LedgerStatus.RETRIED, 1L, LedgerStatus.DEAD, 1L));
    assertThat(all.isCut()).isFalse();
    assertThat(store.countEnds(batchId, 2))
        .isEqualTo(new BatchViewStore.Ends(Map.of(LedgerStatus.SUCCEEDED, 2L), true));
    assertThat(store.countEnds(nextId(), 10).parts()).isEmpty();
  }

  @Test
  void batchesAreListedFromTheNewestOn() {
    Batch first = opened("a", 2);
    Batch ended = opened("b", 1);
    stores.batches().countEnds(Map.of(ended.id(), new PartEnds(1, 0, 0, 0, 0)));
    Batch last = opened("c", 2);
    AgeOrder newest = AgeOrder.NEWEST_FIRST;

    assertThat(ids(store.list(nodeGroup, newest, Long.MAX_VALUE, 10)))
        .containsExactly(last.id(), ended.id(), first.id());
    assertThat(ids(store.list(nodeGroup, newest, last.id(), 1))).containsExactly(ended.id());
    assertThat(ids(store.list(null, newest, last.id() + 1, 2)))
        .containsExactly(last.id(), ended.id());
  }
}
