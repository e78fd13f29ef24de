package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.executing;
import static io.millrace.jobtracker.store.StoreRows.nextId;
import static io.millrace.jobtracker.store.StoreRows.oneShot;
import static io.millrace.jobtracker.store.StoreRows.params;
import static io.millrace.jobtracker.store.StoreRows.planned;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.store.ExecutingStore.Found;
import io.millrace.jobtracker.store.ExecutingStore.Search;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExecutingStoreContractTest extends StoreContract {
  private ExecutingStore store;

  @BeforeEach
  void takeStore() {
    store = stores.executing();
  }

  private Execution inserted(Execution execution) {
    store.insert(List.of(execution));
    return execution;
  }

  @Test
  void executionComesBackAsItWasInserted() {
    Execution oneShot =
        inserted(executing(nodeGroup, oneShot("a", params("{\"orderId\":\"42\"}"))));
    Execution recurring = inserted(executing(nodeGroup, planned(nextId(), "b", 5_000)));

    assertThat(store.find(List.of(oneShot.id(), recurring.id(), nextId())))
        .containsExactlyInAnyOrder(oneShot, recurring);
    assertThat(store.find(List.of())).isEmpty();
  }

  @Test
  void recallsWhatWasInsertedThroughItWithoutParametersUntilItIsToBeDeleted() {
    Execution first = inserted(executing(nodeGroup, oneShot("a", params("{\"orderId\":\"42\"}"))));
    Execution second = inserted(executing(nodeGroup, "b"));

    assertThat(store.recall(List.of(first.id(), second.id(), nextId())))
        .containsExactlyInAnyOrder(first.withParamsLeftInStore(), second);
    assertThat(store.recall(List.of(first.id())).get(0).params().isLeftInStore()).isTrue();
    assertThat(database.anotherTracker().executing().recall(List.of(first.id()))).isEmpty();

    assertThat(store.deleteUntouched(List.of(first.id(), second.id()))).isEqualTo(2);
    assertThat(store.recall(List.of(first.id(), second.id()))).isEmpty();
    assertThat(store.find(List.of(first.id(), second.id()))).isEmpty();
  }

  private static Execution counting(Execution one) {
    return new Execution(
        one.id(),
        one.nodeGroup(),
        one.core(),
        one.dueAt(),
        one.priority(),
        one.generatedAt(),
        one.spec(),
        one.params(),
        one.workerId(),
        one.claimedAt(),
        false,
        true,
        null);
  }

  @Test
  void doesNotRecallWhatCounts() {
    Execution counted = inserted(counting(executing(nodeGroup, planned(nextId(), "a", 1))));

    assertThat(store.recall(List.of(counted.id()))).isEmpty();
  }

  @Test
  void whatWasChangedSinceItWasInsertedIsNotDeletedAsUntouched() {
    Execution untouched = inserted(executing(nodeGroup, "untouched"));
    Execution stopped = inserted(executing(nodeGroup, "stopped"));
    Execution terminated = inserted(executing(nodeGroup, "terminated"));
    Execution counted = inserted(executing(nodeGroup, planned(nextId(), "counted", 1)));
    Stores other = database.anotherTracker();
    other.executing().requestStop(nodeGroup, "stopped");
    other.executing().terminate(nodeGroup, "terminated", null, "ann");
    other.runs().setCounted(nodeGroup, "counted", true);
    List<Long> all = List.of(untouched.id(), stopped.id(), terminated.id(), counted.id(), nextId());

    assertThat(store.deleteUntouched(all)).isEqualTo(1);

    assertThat(store.find(all))
        .extracting(Execution::id)
        .containsExactlyInAnyOrder(stopped.id(), terminated.id(), counted.id());
    assertThat(store.recall(all)).as("who was mistaken asks the database").isEmpty();
  }

  @Test
  void triggerUnderWayIsDuplicateInItsNodeGroupOnly() {
    Execution first = inserted(executing(nodeGroup, "a"));

    assertThatThrownBy(
            () -> store.insert(List.of(executing(nodeGroup, "b"), executing(nodeGroup, "a"))))
        .isInstanceOf(DuplicateKeyException.class);
    assertThat(store.findByGroup(nodeGroup, 0, 10)).containsExactly(first);
    store.insert(List.of(executing(newNodeGroup(), "a")));
  }

  @Test
  void pagesThroughAGroupInOrderOfId() {
    List<Execution> all =
        IntStream.range(0, 5).mapToObj(i -> executing(nodeGroup, "task-" + i)).toList();
    store.insert(List.of(all.get(3), all.get(0), all.get(4), all.get(1), all.get(2)));
    inserted(executing(newNodeGroup(), "other"));

    assertThat(store.findByGroup(nodeGroup, 0, 3)).isEqualTo(all.subList(0, 3));
    assertThat(store.findByGroup(nodeGroup, all.get(2).id(), 3)).isEqualTo(all.subList(3, 5));
  }

  @Test
  void findsByTaskIds() {
    long job = nextId();
    Execution one = inserted(executing(nodeGroup, planned(job, "a", 5_000)));
    Execution two = inserted(executing(nodeGroup, planned(job, "a", 6_000)));
    Execution other = inserted(executing(nodeGroup, "b"));
    inserted(executing(nodeGroup, "c"));

    assertThat(store.findByTasks(nodeGroup, List.of("a", "b", "none")))
        .containsExactlyInAnyOrder(one, two, other);
    assertThat(store.findByTasks(newNodeGroup(), List.of("a"))).isEmpty();
  }

  @Test
  void leavesLargeParametersInTheStoreUntilAskedFor() {
    String json = "{\"a\":\"" + "x".repeat(5_000) + "\"}";
    Execution large = inserted(executing(nodeGroup, oneShot("a", params(json))));
    Execution none = inserted(executing(nodeGroup, "b"));

    assertThat(store.find(List.of(large.id())).get(0).params())
        .isEqualTo(new StoredParams(json.length(), null));
    assertThat(store.readParams(List.of(large.id(), none.id(), nextId())))
        .isEqualTo(Map.of(large.id(), json));
  }

  @Test
  void deletesOnlyRowsThatWereThere() {
    Execution one = inserted(executing(nodeGroup, "a"));
    Execution two = inserted(executing(nodeGroup, "b"));

    assertThat(store.delete(List.of(one.id(), nextId()))).isEqualTo(1);
    assertThat(store.deleteEach(List.of(one.id(), two.id()))).containsExactly(two.id());
    assertThat(store.findByGroup(nodeGroup, 0, 10)).isEmpty();
  }

  @Test
  void stopIsRequestedOfEveryExecutionOfTheTaskAndCountedAgainWhenRepeated() {
    long job = nextId();
    inserted(executing(nodeGroup, planned(job, "a", 5_000)));
    inserted(executing(nodeGroup, planned(job, "a", 6_000)));
    inserted(executing(nodeGroup, "b"));

    assertThat(store.requestStop(nodeGroup, "a")).isEqualTo(2);
    assertThat(store.requestStop(nodeGroup, "a")).isEqualTo(2);
    assertThat(store.requestStop(nodeGroup, "none")).isZero();
    assertThat(store.findByGroup(nodeGroup, 0, 10))
        .filteredOn(Execution::stopRequested)
        .hasSize(2)
        .allMatch(execution -> execution.key().taskId().equals("a"));
  }

  @Test
  void terminatesOneOrAllExecutionsOfATaskIdAndRemembersWhoWasFirst() {
    long job = nextId();
    Execution one = inserted(executing(nodeGroup, planned(job, "a", 5_000)));
    Execution two = inserted(executing(nodeGroup, planned(job, "a", 6_000)));
    Execution other = inserted(executing(nodeGroup, "b"));

    assertThat(store.terminate(nodeGroup, "a", one.id(), "alice")).isEqualTo(1);
    assertThat(store.terminate(nodeGroup, "a", other.id(), "alice")).isZero();
    assertThat(store.terminate(newNodeGroup(), "a", null, "alice")).isZero();
    assertThat(store.terminate(nodeGroup, "a", null, "b".repeat(257))).isEqualTo(2);

    assertThat(store.findByGroup(nodeGroup, 0, 10))
        .extracting(Execution::id, Execution::terminatedBy, Execution::stopRequested)
        .containsExactly(
            tuple(one.id(), "alice", true),
            tuple(two.id(), "b".repeat(257), true),
            tuple(other.id(), null, false));
  }

  @Test
  void whatWasAskedToStopIsNotDeletedWithTheOthers() {
    Execution stopped = inserted(executing(nodeGroup, "a"));
    Execution other = inserted(executing(nodeGroup, "b"));
    store.requestStop(nodeGroup, "a");

    assertThat(store.deleteUnstopped(List.of(stopped.id(), other.id()))).isEqualTo(1);
    assertThat(store.findByGroup(nodeGroup, 0, 10))
        .extracting(Execution::id)
        .containsExactly(stopped.id());
    assertThat(store.deleteUnstopped(List.of())).isZero();
  }

  @Test
  void whatCountsIsNotDeletedWithTheOthers() {
    long job = nextId();
    Execution counted = inserted(executing(nodeGroup, planned(job, "a", 5_000)));
    Execution twin = inserted(executing(nodeGroup, planned(job, "a", 6_000)));
    Execution oneShot = inserted(executing(nodeGroup, "b"));
    assertThat(stores.runs().setCounted(nodeGroup, "a", true)).isEqualTo(2);
    assertThat(stores.runs().setCounted(nodeGroup, "b", true)).as("one-shots never count").isZero();
    assertThat(stores.runs().setCounted(nodeGroup, "none", true)).isZero();

    assertThat(store.find(List.of(counted.id(), twin.id(), oneShot.id())))
        .filteredOn(Execution::counted)
        .extracting(Execution::id)
        .containsExactlyInAnyOrder(counted.id(), twin.id());
    assertThat(store.deleteUncounted(List.of(counted.id(), oneShot.id()))).isEqualTo(1);
    assertThat(stores.runs().setCounted(nodeGroup, "a", false)).isEqualTo(2);
    assertThat(store.deleteUncounted(List.of(counted.id(), twin.id()))).isEqualTo(2);
  }

  /** Invariant 2: no two accepted completions for one execution. */
  @Test
  void executionIsEndedByExactlyOneOfTwo() {
    Stores other = database.anotherTracker();
    try (Racer racer = new Racer()) {
      for (int round = 0; round < 20; round++) {
        Execution execution = inserted(executing(nodeGroup, "task-" + round));
        List<Integer> counts =
            racer.together(List.of(deleting(stores, execution), deleting(other, execution)));

        assertThat(counts).containsExactlyInAnyOrder(0, 1);
      }
    }
  }

  private static Callable<Integer> deleting(Stores tracker, Execution execution) {
    return () -> tracker.executing().delete(List.of(execution.id()));
  }

  @Test
  void searchFindsTheOldestFirstAndSaysHowFarItCame() {
    Execution first = inserted(executing(nodeGroup, oneShot("a", params("{\"orderId\":\"42\"}"))));
    Execution elsewhere = inserted(executing(newNodeGroup(), "b"));
    Execution third = inserted(executing(nodeGroup, "c"));
    long before = first.id() - 1;

    assertThat(store.search(new Search(null, null), before, 3, 100).executions())
        .containsExactly(first.withParamsLeftInStore(), elsewhere, third);
    Found one = store.search(new Search(nodeGroup, "worker-1"), before, 1, 100);
    assertThat(one).isEqualTo(new Found(List.of(first.withParamsLeftInStore()), first.id()));
    assertThat(store.search(new Search(nodeGroup, "worker-1"), first.id(), 10, 100))
        .isEqualTo(new Found(List.of(third), null));
    assertThat(store.search(new Search(nodeGroup, null), first.id(), 10, 1))
        .isEqualTo(new Found(List.of(), elsewhere.id()));
    assertThat(store.search(new Search(nodeGroup, "worker-2"), before, 10, 100).executions())
        .isEmpty();
  }

  @Test
  void searchFindsTheNewestFirstIfThatIsWanted() {
    Execution first = inserted(executing(nodeGroup, "a"));
    Execution elsewhere = inserted(executing(newNodeGroup(), "b"));
    Execution third = inserted(executing(nodeGroup, "c"));
    AgeOrder newest = AgeOrder.NEWEST_FIRST;

    assertThat(store.search(new Search(null, null), newest, Long.MAX_VALUE, 3, 100).executions())
        .containsExactly(third, elsewhere, first);
    assertThat(store.search(new Search(nodeGroup, "worker-1"), newest, third.id(), 10, 100))
        .isEqualTo(new Found(List.of(first), null));
    assertThat(store.search(new Search(nodeGroup, null), newest, third.id(), 10, 1))
        .isEqualTo(new Found(List.of(), elsewhere.id()));
  }
}
