package io.millrace.jobtracker.store.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.internal.protocol.ExecutionProgress;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.jobtracker.store.StoreContract;
import io.millrace.jobtracker.store.console.WorkerStore.Drain;
import io.millrace.jobtracker.store.console.WorkerStore.Rank;
import io.millrace.jobtracker.store.console.WorkerStore.RankPlace;
import io.millrace.jobtracker.store.console.WorkerStore.Ranked;
import io.millrace.jobtracker.store.console.WorkerStore.Search;
import io.millrace.jobtracker.store.console.WorkerStore.Swept;
import io.millrace.jobtracker.store.console.WorkerStore.Worker;
import io.millrace.jobtracker.store.console.WorkerStore.WorkerKey;
import io.millrace.jobtracker.store.order.Direction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkerStoreContractTest extends StoreContract {
  private WorkerStore store;

  @BeforeEach
  void takeStore() {
    store = stores.console().fleet().workers();
    database.execute("DELETE FROM jt_worker");
  }

  private Worker worker(String id, String group, long process, long lastPullAt) {
    return new Worker(
        id,
        group,
        process,
        3,
        "10.0.0.7:51234",
        "1.4.0",
        16,
        18,
        19,
        List.of(7L, 8L, 1L << 60),
        5_000,
        lastPullAt,
        null,
        false);
  }

  private static Worker silent(String id, String group, @Nullable Long disconnectedAt) {
    return new Worker(
        id, group, 0, 0, "a", null, null, null, 0, List.of(), 1, 2, disconnectedAt, false);
  }

  @Test
  void featuresAndLabelsAreKeptUntilTheWorkerNamesNone() {
    List<String> most = Collections.nCopies(PullRequest.MAX_FEATURES, "x".repeat(32));
    Worker named = naming(most, Collections.nCopies(Job.MAX_LABELS, "y".repeat(64)));
    store.put(List.of(named));
    assertThat(store.find("w-1", "orders")).contains(named);

    Worker none = naming(List.of(), List.of());
    store.put(List.of(none));
    assertThat(store.find("w-1", "orders")).contains(none);
  }

  private static Worker naming(List<String> features, List<String> labels) {
    return new Worker(
        "w-1", "orders", 0, 0, "a", null, null, null, 0, List.of(), 1, 2, null, false, List.of(),
        features, labels);
  }

  @Test
  void workersAreKeptAsTheyWereSeenLast() {
    Worker said = worker("w-1", "orders", 4, 6_000);
    Worker saidNothing = silent("w-2", "orders", 9_000L);
    store.put(List.of(said, saidNothing));
    assertThat(store.list(WorkerKey.FIRST, 10)).containsExactly(said, saidNothing);

    Worker later = worker("w-1", "orders", 4, 7_000);
    store.put(List.of(later));

    assertThat(store.find("w-1", "orders")).contains(later);
    assertThat(store.find("w-1", "bills")).isEmpty();
    store.put(List.of());
    assertThat(store.list(WorkerKey.FIRST, 10)).containsExactly(later, saidNothing);
  }

  @Test
  void moreExecutionsThanAreNamedAreCounted() {
    List<Long> many = LongStream.range(0, 1_000).map(i -> Long.MAX_VALUE - i).boxed().toList();
    Worker busy = new Worker("w", "orders", 0, 0, "a", null, 1, 1, 1_000, many, 1, 2, null, false);

    store.put(List.of(busy));

    Worker found = store.find("w", "orders").orElseThrow();
    assertThat(found.held()).isEqualTo(1_000);
    assertThat(found.heldIds()).isEqualTo(many.subList(0, WorkerStore.NAMED_EXECUTIONS));
  }

  @Test
  void manyWorkersAreWrittenAtOnceAndListedPageByPage() {
    List<Worker> all =
        IntStream.range(0, 300)
            .mapToObj(i -> worker("w-%03d".formatted(i / 2), i % 2 == 0 ? "a" : "b", 0, i))
            .toList();
    store.put(all);
    store.put(all);

    List<Worker> first = store.list(WorkerKey.FIRST, 101);
    assertThat(first).isEqualTo(all.subList(0, 101));
    assertThat(store.list(first.get(100).key(), 500)).isEqualTo(all.subList(101, 300));
    assertThat(store.list("b", "w-147", 10))
        .extracting(Worker::workerId)
        .containsExactly("w-148", "w-149");
    assertThat(store.list("c", "", 10)).isEmpty();
    assertThat(store.find("w-007", 10)).extracting(Worker::nodeGroup).containsExactly("a", "b");
  }

  @Test
  void workersAreFoundByAPartOfTheirIdInAnyCase() {
    List<Worker> all =
        List.of(
            worker("East-1", "a", 0, 1),
            worker("far-east-2", "a", 0, 1),
            worker("far-east-2", "b", 0, 1),
            worker("west", "a", 0, 1));
    store.put(all);

    assertThat(like("eAsT", null, WorkerKey.FIRST, 10)).isEqualTo(all.subList(0, 3));
    assertThat(like("east", null, WorkerKey.FIRST, 2)).isEqualTo(all.subList(0, 2));
    assertThat(like("east", null, all.get(1).key(), 2)).containsExactly(all.get(2));
    assertThat(like("EAST", "a", null, 10)).isEqualTo(all.subList(0, 2));
    assertThat(like("east", "a", all.get(0).key(), 10)).containsExactly(all.get(1));
    assertThat(like("%", null, WorkerKey.FIRST, 10)).isEmpty();
  }

  @Test
  void progressOfExecutionsIsReadFromAllTheirWorkersAtOnce() {
    store.put(
        List.of(
            says("w-1", "orders", progress(7, 40), progress(8, 1)),
            says("w-1", "bills", progress(9, 2)),
            says("w-2", "orders", progress(10, 3)),
            worker("w-3", "orders", 4, 1)));

    assertThat(store.progress(List.of("w-1", "w-3", "w-4"), Set.of(7L, 9L, 10L, 11L)))
        .isEqualTo(Map.of(7L, progress(7, 40), 9L, progress(9, 2)));
    assertThat(store.progress(List.of("w-3"), Set.of(7L))).isEmpty();
    assertThat(store.progress(List.of(), Set.of())).isEmpty();
  }

  private static ExecutionProgress progress(long executionId, long done) {
    return new ExecutionProgress(executionId, done, 100, "of the files", Instant.EPOCH);
  }

  private static Worker says(String id, String group, ExecutionProgress... progress) {
    List<ExecutionProgress> said = List.of(progress);
    return new Worker(
        id, group, 0, 0, "a", null, 4, 2, 2, List.of(), 1, 2, null, false, said, List.of(),
        List.of());
  }

  @Test
  void aWorkerDrainsUntilItIsSaidOtherwise() {
    store.put(List.of(worker("w-1", "orders", 4, 1), worker("w-1", "bills", 5, 1)));

    assertThat(store.setDraining("w-1", "orders", true)).isTrue();
    store.put(List.of(worker("w-1", "orders", 4, 2), worker("w-1", "bills", 5, 2)));

    Drain drain = new Drain("w-1", "orders", 4);
    assertThat(store.draining(10)).containsExactly(drain);
    assertThat(store.draining("orders", 10)).containsExactly(drain);
    assertThat(store.draining("bills", 10)).isEmpty();
    assertThat(store.find("w-1", "orders").orElseThrow().draining()).isTrue();
    assertThat(store.find("w-1", "orders").orElseThrow().lastPullAt()).isEqualTo(2);

    assertThat(store.setDraining("w-1", "orders", false)).isTrue();
    assertThat(store.draining(10)).isEmpty();
    assertThat(store.setDraining("nobody", "orders", true)).isFalse();
  }

  @Test
  void anotherProcessOfTheSameIdDoesNotDrain() {
    store.put(List.of(worker("w-1", "orders", 4, 1)));
    store.setDraining("w-1", "orders", true);

    store.put(List.of(worker("w-1", "orders", 5, 2)));

    assertThat(store.draining(10)).isEmpty();
  }

  @Test
  void workersThatAreLongGoneAreDeletedPageByPage() {
    store.put(
        List.of(
            worker("w-1", "a", 0, 10),
            worker("w-1", "b", 0, 20),
            worker("w-2", "a", 0, 10),
            worker("w-3", "a", 0, 19)));

    assertThat(store.deleteGone(WorkerKey.FIRST, 3, 20))
        .isEqualTo(new Swept(3, 2, new WorkerKey("w-2", "a")));
    assertThat(store.deleteGone(new WorkerKey("w-2", "a"), 3, 20))
        .isEqualTo(new Swept(1, 1, new WorkerKey("w-3", "a")));
    assertThat(store.deleteGone(new WorkerKey("w-3", "a"), 3, 20)).isEqualTo(new Swept(0, 0, null));

    assertThat(store.list(WorkerKey.FIRST, 10))
        .extracting(Worker::key)
        .containsExactly(new WorkerKey("w-1", "b"));
  }

  private List<Worker> like(
      String contained, @Nullable String group, @Nullable WorkerKey behind, int limit) {
    return store.list(new Search(group, contained), Direction.ASCENDING, behind, limit);
  }

  @Test
  void workersAreListedBackwards() {
    List<Worker> all =
        List.of(
            worker("b", "y", 0, 1),
            worker("b", "x", 0, 1),
            worker("a", "z", 0, 1),
            worker("a", "x", 0, 1));
    store.put(all);
    Search any = new Search(null, null);

    assertThat(store.list(any, Direction.DESCENDING, null, 10)).isEqualTo(all);
    assertThat(store.list(any, Direction.DESCENDING, all.get(0).key(), 2))
        .isEqualTo(all.subList(1, 3));
    assertThat(store.list(new Search("x", null), Direction.DESCENDING, null, 1))
        .containsExactly(all.get(1));
    assertThat(store.list(new Search("x", null), Direction.DESCENDING, all.get(1).key(), 9))
        .containsExactly(all.get(3));
  }

  private static Worker using(String id, String group, int slots, int begun, long lastPullAt) {
    return new Worker(
        id, group, 0, 0, "a", null, slots, begun, 0, List.of(), 1, lastPullAt, null, false);
  }

  /** All pages of a sorted list. */
  private List<String> ranked(Search search, Rank rank, int limit) {
    List<String> ids = new ArrayList<>();
    RankPlace place = null;
    do {
      Ranked page = store.rank(search, rank, place, limit, 5).orElseThrow();
      page.workers().forEach(worker -> ids.add(worker.workerId() + "/" + worker.nodeGroup()));
      place = page.next();
    } while (place != null);
    return ids;
  }

  @Test
  void workersAreSortedByWhatTheyReport() {
    store.put(
        List.of(
            using("busy", "x", 4, 9, 300),
            using("half", "x", 8, 4, 100),
            using("half", "y", 8, 4, 400),
            using("idle", "x", 8, 0, 200),
            silent("old", "x", null)));
    Search any = new Search(null, null);

    for (int limit = 1; limit <= 6; limit++) {
      assertThat(ranked(any, Rank.USED_SLOTS, limit))
          .containsExactly("busy/x", "half/x", "half/y", "idle/x", "old/x");
      assertThat(ranked(any, Rank.FREE_SLOTS, limit))
          .containsExactly("idle/x", "half/x", "half/y", "busy/x", "old/x");
      assertThat(ranked(any, Rank.LONGEST_SILENT, limit))
          .containsExactly("old/x", "half/x", "idle/x", "busy/x", "half/y");
      assertThat(ranked(new Search("x", "L"), Rank.FREE_SLOTS, limit))
          .containsExactly("idle/x", "half/x", "old/x");
    }
    store.put(List.of(using("one-more", "x", 1, 0, 1)));
    assertThat(store.rank(any, Rank.USED_SLOTS, null, 10, 5)).isEmpty();
    assertThat(store.rank(new Search("y", null), Rank.USED_SLOTS, null, 10, 5)).isPresent();
  }
}
