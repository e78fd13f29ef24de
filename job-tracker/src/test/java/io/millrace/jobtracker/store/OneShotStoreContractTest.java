package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.domain.trigger.StoredParams.NONE;
import static io.millrace.jobtracker.store.StoreRows.executing;
import static io.millrace.jobtracker.store.StoreRows.oneShot;
import static io.millrace.jobtracker.store.StoreRows.planned;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.trigger.TriggerRecord;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.OneShotStore.Part;
import io.millrace.jobtracker.store.OneShotStore.Range;
import io.millrace.jobtracker.store.order.Direction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OneShotStoreContractTest extends StoreContract {
  private OneShotStore store;

  @BeforeEach
  void takeStore() {
    store = stores.oneShots();
  }

  @Test
  void waitingOneShotsAreReadInOrderOfTaskIdAndByPages() {
    insert(oneShot("c"), oneShot("a"), oneShot("d"), oneShot("b"), oneShot("B"));

    assertThat(tasks(store::readWaiting, null, 2, 100))
        .containsExactly(List.of("B", "a"), List.of("b", "c"), List.of("d"));
  }

  @Test
  void triggersOfRecurringJobsAreLeftOutAndBoundWhatIsRead() {
    insert(oneShot("a"), oneShot("c"));
    insert(
        LongStream.range(0, 50)
            .mapToObj(i -> planned(7, "b", 5_000 + i))
            .toArray(WaitingTrigger[]::new));

    assertThat(tasks(store::readWaiting, null, 10, 20)).containsExactly(List.of("a"), List.of("c"));
    assertThat(tasks(store::readWaiting, null, 10, 100)).containsExactly(List.of("a", "c"));
  }

  @Test
  void runningOneShotsAreReadOfTheirNodeGroupOnly() {
    String other = newNodeGroup();
    stores
        .executing()
        .insert(
            List.of(
                executing(nodeGroup, "b"),
                executing(nodeGroup, "a"),
                executing(other, "c"),
                executing(nodeGroup, planned(7, "d", 5_000))));

    assertThat(tasks(store::readExecuting, null, 10, 100)).containsExactly(List.of("a", "b"));
    assertThat(tasks(store::readExecuting, null, 1, 100))
        .containsExactly(List.of("a"), List.of("b"), List.of());
  }

  @Test
  void oneShotsThatWereSplitAreReadAsTheirRunsAndTheirPartsAreNot() {
    Batch split = StoreRows.batch(nodeGroup, oneShot("b"), 3);
    Batch part = StoreRows.batch(nodeGroup, split.part(1, StoreRows.nextId(), NONE, 5), 3);
    stores.batches().insert(List.of(split, part, StoreRows.batch(newNodeGroup(), oneShot("c"), 3)));
    stores.batches().insert(List.of(StoreRows.batch(nodeGroup, planned(7, "d", 5_000), 3)));
    insert(split.part(2, StoreRows.nextId(), NONE, 5));
    stores
        .executing()
        .insert(List.of(executing(nodeGroup, split.part(3, StoreRows.nextId(), NONE, 5))));

    assertThat(tasks(store::readSplit, null, 10, 100)).containsExactly(List.of("b"));
    assertThat(tasks(store::readWaiting, null, 10, 100)).containsExactly(List.of());
    assertThat(tasks(store::readExecuting, null, 10, 100)).containsExactly(List.of());
  }

  @Test
  void prefixIsTakenLiterally() {
    List<String> taskIds = List.of("a", "a%", "a%b", "aa", "ab", "b", "a_", "a\uD83D\uDE00");
    insert(taskIds.stream().map(StoreRows::oneShot).toArray(WaitingTrigger[]::new));
    stores
        .executing()
        .insert(taskIds.stream().map(taskId -> executing(nodeGroup, taskId)).toList());
    stores
        .batches()
        .insert(taskIds.stream().map(id -> StoreRows.batch(nodeGroup, oneShot(id), 2)).toList());

    for (Function<Range, ? extends Part<? extends TriggerRecord>> read : reads()) {
      assertThat(tasks(read, "a%", 10, 100)).containsExactly(List.of("a%", "a%b"));
      assertThat(tasks(read, "c", 10, 100)).containsExactly(List.of());
    }
  }

  @Test
  void rowsComeWithoutLargeParameters() {
    insert(oneShot("large", StoreRows.params("{\"p\":\"" + "x".repeat(20_000) + "\"}")));

    assertThat(store.readWaiting(range(null, "", 10, 100)).rows())
        .singleElement()
        .satisfies(row -> assertThat(row.params().json()).isNull());
  }

  @Test
  void manyRowsOfOneKindAreReadOnce() {
    List<String> taskIds = IntStream.range(0, 300).mapToObj(i -> "t" + (1_000 + i)).toList();
    insert(taskIds.stream().map(StoreRows::oneShot).toArray(WaitingTrigger[]::new));

    assertThat(tasks(store::readWaiting, null, 70, 50)).flatMap(page -> page).isEqualTo(taskIds);
  }

  private List<Function<Range, ? extends Part<? extends TriggerRecord>>> reads() {
    return List.of(store::readWaiting, store::readExecuting, store::readSplit);
  }

  private void insert(WaitingTrigger... rows) {
    stores.waiting().insert(nodeGroup, List.of(rows));
  }

  private Range range(@Nullable String prefix, String above, int limit, int lookAt) {
    return new Range(nodeGroup, prefix, above, limit, lookAt);
  }

  /** The task ids of each page; the other direction has the reverse. */
  private List<List<String>> tasks(
      Function<Range, ? extends Part<? extends TriggerRecord>> read,
      @Nullable String prefix,
      int limit,
      int lookAt) {
    List<List<String>> pages = pages(read, prefix, Direction.ASCENDING, limit, lookAt);
    List<String> descending =
        pages(read, prefix, Direction.DESCENDING, limit, lookAt).stream()
            .flatMap(List::stream)
            .collect(Collectors.toCollection(ArrayList::new));
    Collections.reverse(descending);
    assertThat(descending).isEqualTo(pages.stream().flatMap(List::stream).toList());
    return pages;
  }

  private List<List<String>> pages(
      Function<Range, ? extends Part<? extends TriggerRecord>> read,
      @Nullable String prefix,
      Direction direction,
      int limit,
      int lookAt) {
    List<List<String>> pages = new ArrayList<>();
    String behind = null;
    do {
      Part<? extends TriggerRecord> part =
          read.apply(new Range(nodeGroup, prefix, direction, behind, limit, lookAt));
      pages.add(part.rows().stream().map(row -> row.key().taskId()).toList());
      behind = part.next();
    } while (behind != null);
    return pages;
  }

  /** A task id has either a one-shot or a recurring job; a page may end within the rows of both. */
  @Test
  void oneShotBeforeOtherRowsOfItsTaskIsFoundInBothDirections() {
    insert(oneShot("a"), planned(7, "a", 5_000), planned(7, "a", 6_000), planned(7, "a", 7_000));
    insert(oneShot("b"));

    for (int lookAt = 1; lookAt <= 5; lookAt++) {
      assertThat(tasks(store::readWaiting, null, 10, lookAt))
          .flatMap(page -> page)
          .containsExactly("a", "b");
    }
  }
}
