package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.domain.trigger.StoredParams.NONE;
import static io.millrace.jobtracker.store.StoreRows.batch;
import static io.millrace.jobtracker.store.StoreRows.executing;
import static io.millrace.jobtracker.store.StoreRows.nextId;
import static io.millrace.jobtracker.store.StoreRows.oneShot;
import static io.millrace.jobtracker.store.StoreRows.params;
import static io.millrace.jobtracker.store.StoreRows.planned;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.PartDraft;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.batch.RunStore;
import io.millrace.jobtracker.store.order.Direction;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RunStoreContractTest extends StoreContract {
  private RunStore store;

  @BeforeEach
  void takeStore() {
    store = stores.runs();
  }

  private Execution executes(WaitingTrigger trigger) {
    Execution execution = executing(nodeGroup, trigger);
    stores.executing().insert(List.of(execution));
    return execution;
  }

  private Execution isSplit(WaitingTrigger trigger) {
    Batch batch = batch(nodeGroup, trigger, 2);
    stores.batches().insert(List.of(batch));
    return batch.run();
  }

  @Test
  void executionsAndRunsThatWereSplitAreFoundByTheirTaskIds() {
    Execution executing = executes(oneShot("a", params("{\"orderId\":\"42\"}")));
    Execution split = isSplit(oneShot("b", params("{\"orderId\":\"43\"}")));
    Execution first = executes(planned(7, "c", 5_000));
    Execution second = isSplit(planned(7, "c", 6_000));
    executes(oneShot("d"));
    stores.batches().insert(List.of(batch(newNodeGroup(), oneShot("a"), 2)));

    assertThat(store.findByTasks(nodeGroup, List.of("a", "b", "c", "none")))
        .containsExactlyInAnyOrder(executing, split, first, second);
    assertThat(store.findByTasks(nodeGroup, List.of())).isEmpty();
  }

  @Test
  void partsAreNotRunsOfTheTaskIdThatWasSplit() {
    Batch batch = batch(nodeGroup, oneShot("a"), 3);
    stores.batches().insert(List.of(batch));
    executes(batch.part(1, nextId(), NONE, 5_000));

    assertThat(store.findByTasks(nodeGroup, List.of("a"))).containsExactly(batch.run());
    assertThat(store.findByTask(nodeGroup, "a", 10)).hasSize(1);
  }

  @Test
  void whatIsOnlyStagedIsNoRunAndItsExecutionIs() {
    Execution execution = executes(oneShot("a"));
    stores
        .batches()
        .stage("worker-1", execution.id(), 1, List.of(new PartDraft(null, params("{}"))));

    assertThat(store.findByTasks(nodeGroup, List.of("a"))).containsExactly(execution);
    assertThat(store.findByTask(nodeGroup, "a", 10)).containsExactly(execution);
  }

  @Test
  void runsOfOneTaskComeInOrderOfPlannedTime() {
    Execution third = executes(planned(7, "a", 7_000));
    Execution second = isSplit(planned(7, "a", 6_000));
    Execution first = executes(planned(7, "a", 5_000));
    Execution large = isSplit(oneShot("c", params("{\"orderId\":\"42\"}")));
    executes(planned(nextId(), "b", 5_000));

    assertThat(store.findByTask(nodeGroup, "a", 10)).containsExactly(first, second, third);
    assertThat(store.findByTask(nodeGroup, "a", 2)).containsExactly(first, second);
    assertThat(store.findByTask(nodeGroup, "c", 1)).containsExactly(large.withParamsLeftInStore());
  }

  @Test
  void runsOfOneTaskArePagedByTheirTriggers() {
    Execution late = executes(planned(7, "a", 9_000));
    Execution early = isSplit(planned(7, "a", 5_000));
    executes(planned(8, "b", 5_000));
    TriggerKey start = new TriggerKey("a", 0, -1);

    assertThat(store.readByTask(nodeGroup, start, 10)).containsExactly(early, late);
    assertThat(store.readByTask(nodeGroup, start, 1)).containsExactly(early);
    assertThat(store.readByTask(nodeGroup, early.key(), 10)).containsExactly(late);
    assertThat(store.readByTask(nodeGroup, new TriggerKey("a", 5_000, -1), 10))
        .containsExactly(early, late);
    assertThat(store.readByTask(nodeGroup, late.key(), 10)).isEmpty();
  }

  @Test
  void runsThatWereSplitCountAsThoseThatExecute() {
    executes(planned(7, "a", 5_000));
    isSplit(planned(7, "a", 6_000));
    isSplit(oneShot("b"));

    assertThat(store.setCounted(nodeGroup, "a", true)).isEqualTo(2);
    assertThat(store.setCounted(nodeGroup, "b", true)).as("one-shots never count").isZero();

    assertThat(store.findByTasks(nodeGroup, List.of("a", "b")))
        .extracting(Execution::counted)
        .containsExactlyInAnyOrder(true, true, false);
    assertThat(store.setCounted(nodeGroup, "a", false)).isEqualTo(2);
  }

  @Test
  void runsOfOneTaskArePagedBackwards() {
    Execution late = executes(planned(7, "a", 9_000));
    Execution early = isSplit(planned(7, "a", 5_000));
    executes(planned(8, "b", 5_000));
    TriggerKey end = new TriggerKey("a", Long.MAX_VALUE, Integer.MAX_VALUE);

    assertThat(store.readByTask(nodeGroup, Direction.DESCENDING, end, 10))
        .containsExactly(late, early);
    assertThat(store.readByTask(nodeGroup, Direction.DESCENDING, end, 1)).containsExactly(late);
    assertThat(store.readByTask(nodeGroup, Direction.DESCENDING, late.key(), 10))
        .containsExactly(early);
    assertThat(store.readByTask(nodeGroup, Direction.DESCENDING, early.key(), 10)).isEmpty();
  }
}
