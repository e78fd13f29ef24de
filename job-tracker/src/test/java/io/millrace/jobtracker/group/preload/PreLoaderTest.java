package io.millrace.jobtracker.group.preload;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.DEQUE_CAPACITY;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.LOOK_AHEAD;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.MISFIRE_THRESHOLD;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Job;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.domain.waiting.PriorityOrder;
import io.millrace.jobtracker.domain.waiting.WaitingHead;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.FaultyTransactions.Fault;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.WaitingStore;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PreLoaderTest extends ServiceTest {
  private static final int CAPACITY = 10;
  private static final int MAX_AHEAD = 6;

  private final WaitingHead head =
      new WaitingHead(CAPACITY, 1 << 20, MAX_AHEAD, MISFIRE_THRESHOLD, PriorityOrder.STRICT);
  private final List<String> reads = new ArrayList<>();
  private int rowsRead;
  private boolean storeIsGone;
  private int wakes;

  @Test
  void bestDueRowsOfAllPrioritiesAreLoadedUpToTheBound() {
    for (int priority : new int[] {200, 5, 100}) {
      insertDue(priority, 7);
    }

    PreLoader.Loaded loaded = load();

    assertThat(loaded.due()).isEqualTo(CAPACITY);
    assertThat(drain())
        .extracting(WaitingTrigger::priority)
        .containsExactly(5, 5, 5, 5, 5, 5, 5, 100, 100, 100);
    assertThat(head.wantsLoad()).as("the store holds more").isTrue();
  }

  @Test
  void urgentRowThatComesLateIsLoadedThoughBulkWorkFillsTheDeque() {
    insertDue(200, 50);
    load();
    insertDue(1, 1);

    load();

    assertThat(drain().get(0).priority()).isEqualTo(1);
  }

  @Test
  void dueRowsBehindTheBoundFollowAsTheDequeDrains() {
    insertDue(100, 35);
    List<Long> seen = new ArrayList<>();
    for (int round = 0; round < 10; round++) {
      load();
      List<Long> ids = drain().stream().map(WaitingTrigger::id).toList();
      stores.waiting().delete(GROUP, ids);
      head.settle(ids);
      seen.addAll(ids);
    }

    assertThat(seen).hasSize(35).doesNotHaveDuplicates().isSorted();
  }

  @Test
  void rowsThatFallDueSoonWaitOnTheWheelAndOthersInTheStore() {
    insert(100, 1, LOOK_AHEAD.toMillis());
    insert(100, 2, LOOK_AHEAD.toMillis() + 1);

    assertThat(load()).isEqualTo(new PreLoader.Loaded(0, 1));

    time.pass(LOOK_AHEAD.minusMillis(1));
    assertThat(head.hasDue()).isFalse();
    time.pass(Duration.ofMillis(1));
    assertThat(drain()).extracting(WaitingTrigger::id).containsExactly(1L);
    assertThat(wakes).isPositive();
  }

  @Test
  void rowsAheadHaveABoundOfTheirOwn() {
    LongStream.rangeClosed(1, 20).forEach(id -> insert(100, id, 1_000));
    insertDue(100, 5);

    PreLoader.Loaded loaded = load();

    assertThat(loaded).isEqualTo(new PreLoader.Loaded(5, MAX_AHEAD));
    time.pass(Duration.ofSeconds(1));
    load();
    assertThat(head.dueCount()).as("the others, once they are due").isEqualTo(CAPACITY);
  }

  @Test
  void rowsThatFallDueTogetherShareAPlaceOnTheWheel() {
    LongStream.rangeClosed(1, 5).forEach(id -> insert(100, id, 1_000));
    insert(5, 6, 2_000);
    load();

    time.pass(Duration.ofMillis(1_000));
    assertThat(head.dueCount()).isEqualTo(5);
    assertThat(wakes).isEqualTo(1);
    time.pass(Duration.ofMillis(1_000));
    assertThat(head.dueCount()).isEqualTo(6);
    assertThat(wakes).isEqualTo(2);
  }

  /** Bulk work that fills what is kept ahead must not make an urgent trigger late. */
  @Test
  void urgentRowAheadThatComesLateStartsOnTimeThoughBulkWorkFillsTheWheel() {
    LongStream.rangeClosed(1, 50).forEach(id -> insert(200, id, 2_000));
    load();
    insert(1, 99, 1_000);
    load();

    time.pass(Duration.ofMillis(1_000));

    assertThat(drain()).extracting(WaitingTrigger::id).containsExactly(99L);
  }

  /** The higher priority is read first, and may not use the room up that is for what is sooner. */
  @Test
  void ofRowsAheadTheEarliestOfAllPrioritiesAreKept() {
    LongStream.rangeClosed(1, 50).forEach(id -> insert(5, id, 3_000 + id));
    LongStream.rangeClosed(51, 100).forEach(id -> insert(100, id, id));

    assertThat(load().ahead()).isEqualTo(MAX_AHEAD);

    time.pass(Duration.ofMillis(51 + MAX_AHEAD));
    assertThat(drain())
        .extracting(WaitingTrigger::id)
        .containsExactlyElementsOf(LongStream.range(51, 51 + MAX_AHEAD).boxed().toList());
    assertThat(rowsRead).isLessThanOrEqualTo(2 * (CAPACITY + MAX_AHEAD));
    assertThat(head.wantsLoad()).as("what is ahead has run low").isTrue();
  }

  @Test
  void rowsAheadOfEveryPriorityAreTakenUp() {
    insert(5, 1, 1_000);
    insert(100, 2, 1_000);
    insert(255, 3, 1_000);

    assertThat(load().ahead()).isEqualTo(3);
  }

  /** From one priority to the next, and within each by the index: what waits costs nothing. */
  @Test
  void loadReadsWhatItTakesAndNotWhatWaits() {
    stores
        .waiting()
        .insert(
            GROUP,
            LongStream.rangeClosed(1, 3_000)
                .mapToObj(
                    id ->
                        SampleTriggers.oneShot(
                            id, (int) (id % 3) * 100, time.millis() + 3_600_000 + id))
                .toList());
    insertDue(100, 4);

    load();

    assertThat(reads)
        .containsExactly("nextLevel", "nextLevel", "readDue", "nextLevel", "nextLevel");
    assertThat(rowsRead).isEqualTo(4);
  }

  @Test
  void loadFromABacklogReadsAsManyRowsAsTheDequeTakes() {
    for (int priority = 0; priority < 50; priority++) {
      insertDue(priority, 20);
    }

    load();

    assertThat(rowsRead).isEqualTo(CAPACITY);
    assertThat(reads)
        .as("the last looks for what falls due soon beside it")
        .containsExactly("nextLevel", "readDue", "readDue");
  }

  @Test
  void manyRowsAheadBesideFewThatAreDueAreReadUpToTheirBound() {
    insertDue(100, 2);
    LongStream.rangeClosed(1, 50).forEach(id -> insert(100, id, id));

    assertThat(load()).isEqualTo(new PreLoader.Loaded(2, MAX_AHEAD));

    assertThat(rowsRead).isLessThanOrEqualTo(CAPACITY + MAX_AHEAD);
    time.pass(Duration.ofMillis(MAX_AHEAD));
    assertThat(drain()).as("the earliest ones").hasSize(2 + MAX_AHEAD);
  }

  /** Its executor was full for a moment: the wake-up is gone, the row is not. */
  @Test
  void wakeUpThatTheExecutorRefusedCostsNoMoreThanTheTimeToTheNextLoad() {
    insert(100, 1, 1_000);
    load();
    time.refuseTasks(true);
    time.pass(Duration.ofSeconds(1));
    time.refuseTasks(false);
    assertThat(head.hasDue()).isFalse();

    load();

    assertThat(drain()).hasSize(1);
  }

  /** LTS asked each node's own clock what is due. */
  @Test
  void rowOnTheWheelIsNotDueBeforeTheClockSaysSoEvenIfItIsSetBack() {
    insert(100, 1, 1_000);
    load();
    time.setClock(time.now().minusSeconds(10));

    time.pass(Duration.ofSeconds(10));
    assertThat(head.hasDue()).isFalse();
    time.pass(Duration.ofSeconds(1));

    assertThat(head.hasDue()).isTrue();
  }

  /** A dead database must not look like an empty queue. */
  @Test
  void loadThatFailsSaysSoAndTheNextOneLoadsEverything() {
    insertDue(100, 3);
    storeIsGone = true;
    assertThatThrownBy(this::load).isInstanceOf(StoreUnavailableException.class);
    assertThat(head.isBlind()).isTrue();
    storeIsGone = false;

    load();

    assertThat(head.isBlind()).isFalse();
    assertThat(drain()).hasSize(3);
  }

  /**
   * A commit that is lost after reads loses nothing: they are made again, here or by a later load.
   */
  @ParameterizedTest
  @EnumSource(Fault.class)
  void loadWhoseTransactionFailsReadsAgainOrSaysSo(Fault fault) {
    FaultyTransactions transactions = new FaultyTransactions(stores.transactions());
    HandDrivenTracker shaky =
        new HandDrivenTracker(3, FaultyTransactions.around(stores, transactions), time);
    insertDue(100, 3);
    transactions.failNext(fault);

    if (fault == Fault.UNREACHABLE || fault.name().endsWith("OUT_OF_REACH")) {
      assertThatThrownBy(shaky::load).isInstanceOf(StoreException.class);
      assertThat(shaky.group().head().isBlind()).isTrue();
      shaky.load();
    } else {
      shaky.load();
    }

    assertThat(shaky.group().head().isBlind()).isFalse();
    assertThat(shaky.group().head().dueCount()).isEqualTo(3);
  }

  @Test
  void emptyTableIsLoadedQuietly() {
    assertThat(load()).isEqualTo(new PreLoader.Loaded(0, 0));
    assertThat(wakes).isZero();
  }

  /** LTS offered the same rows again and again, and its deque grew by copies. */
  @Test
  void loadingAgainAndAgainAddsNothing() {
    insertDue(100, 5);
    insert(100, 1, 1_000);
    for (int i = 0; i < 20; i++) {
      load();
    }

    assertThat(head.dueCount()).isEqualTo(5);
    assertThat(head.aheadCount()).isEqualTo(1);
  }

  @Test
  void backlogOfSeveralDequesIsDrainedInOrder() {
    int jobs = 3 * DEQUE_CAPACITY;
    for (int from = 0; from < jobs; from += 500) {
      int base = from;
      tracker.submit(
          IntStream.range(0, 500)
              .mapToObj(i -> job("task-" + (base + i)).priority((base + i) % 3).build())
              .toArray(Job[]::new));
    }
    HandDrivenWorker worker = tracker.worker("worker-1");
    List<Integer> priorities = new ArrayList<>();
    while (priorities.size() < jobs) {
      worker.take(256).forEach(assignment -> priorities.add(number(assignment.taskId()) % 3));
    }

    assertThat(priorities).isSorted();
  }

  @Test
  void committedRowIsInMemoryAsALoadWouldHaveReadIt() {
    tracker.load();
    tracker.submit(
        job("small").build(),
        job("large").param("x", "y".repeat(StoredParams.INLINE_BYTES)).build(),
        job("soon").at(inMillis(1_000)).priority(7).handler("soon").build());
    tracker.submit(job("every").every(Duration.ofSeconds(2)).build());

    List<WaitingTrigger> inMemory = new ArrayList<>();
    for (int second = 0; second <= LOOK_AHEAD.toSeconds(); second++) {
      WaitingTrigger taken = tracker.group().head().takeForClaim(time.millis(), time.millis());
      while (taken != null) {
        inMemory.add(taken);
        taken = tracker.group().head().takeForClaim(time.millis(), time.millis());
      }
      time.pass(Duration.ofSeconds(1));
    }

    List<WaitingTrigger> stored = new ArrayList<>();
    for (int priority : new int[] {7, 100}) {
      stored.addAll(stores.waiting().readDue(GROUP, priority, 0, time.millis() - 1_000, 100));
    }
    assertThat(inMemory).hasSizeGreaterThan(5).containsExactlyInAnyOrderElementsOf(stored);
  }

  @Test
  void whatFallsDueOnTheWheelGoesBesideABacklogThatFillsTheDeque() {
    insertDue(100, 50);
    insert(100, 1, 1_000);
    insert(100, 2, 1_000);
    load();

    time.pass(Duration.ofMillis(1_000));

    assertThat(head.dueCount()).isEqualTo(CAPACITY);
    assertThat(drain().subList(0, 3))
        .extracting(WaitingTrigger::id)
        .startsWith(1L, 2L)
        .doesNotHaveDuplicates();
  }

  @Test
  void whatIsCommittedHereCostsNoRead() {
    load();
    reads.clear();
    long now = time.millis();

    loader()
        .enter(
            List.of(
                SampleTriggers.oneShot(1, 100, now),
                SampleTriggers.oneShot(2, 100, now + 1_000),
                SampleTriggers.oneShot(3, 100, now + LOOK_AHEAD.toMillis() + 1)));

    assertThat(wakes).isEqualTo(1);
    assertThat(drain()).extracting(WaitingTrigger::id).containsExactly(1L);
    time.pass(Duration.ofMillis(1_000));
    assertThat(wakes).isEqualTo(2);
    assertThat(drain()).extracting(WaitingTrigger::id).containsExactly(2L);
    time.pass(LOOK_AHEAD);
    assertThat(drain()).isEmpty();
    assertThat(reads).isEmpty();
  }

  private static int number(String taskId) {
    return Integer.parseInt(taskId.substring("task-".length()));
  }

  private PreLoader loader() {
    return new PreLoader(
        HandDrivenTracker.memory(head).heads().plain(),
        stores.with(WaitingStore.class, this::counted),
        HandDrivenTracker.sweep(stores, new IdSequence(1, 0), tracker.signals()),
        time.timedExecutor(),
        new PreLoader.Ahead(LOOK_AHEAD, Duration.ZERO),
        () -> wakes++,
        () -> {});
  }

  private PreLoader.Loaded load() {
    PreLoader.Loaded loaded = loader().runOnce(time.millis());
    time.run();
    return loaded;
  }

  private WaitingStore counted(WaitingStore real) {
    return (WaitingStore)
        Proxy.newProxyInstance(
            WaitingStore.class.getClassLoader(),
            new Class<?>[] {WaitingStore.class},
            (proxy, method, arguments) -> {
              if (storeIsGone) {
                throw new StoreUnavailableException("gone", null);
              }
              reads.add(method.getName());
              try {
                Object result = method.invoke(real, arguments);
                rowsRead += result instanceof List<?> rows ? rows.size() : 0;
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void insertDue(int priority, int count) {
    long base =
        priority * 1_000L + 1_000_000 + stores.waiting().countDue(GROUP, time.millis(), 1_000);
    stores
        .waiting()
        .insert(
            GROUP,
            LongStream.range(base, base + count)
                .mapToObj(id -> SampleTriggers.oneShot(id, priority, time.millis()))
                .toList());
  }

  private void insert(int priority, long id, long dueInMillis) {
    stores
        .waiting()
        .insert(GROUP, List.of(SampleTriggers.oneShot(id, priority, time.millis() + dueInMillis)));
  }

  private List<WaitingTrigger> drain() {
    List<WaitingTrigger> drained = new ArrayList<>();
    WaitingTrigger next = head.takeForClaim(time.millis(), time.millis());
    while (next != null) {
      drained.add(next);
      next = head.takeForClaim(time.millis(), time.millis());
    }
    return drained;
  }
}
