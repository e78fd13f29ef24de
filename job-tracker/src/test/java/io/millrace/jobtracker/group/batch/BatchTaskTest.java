package io.millrace.jobtracker.group.batch;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.api.PartFailurePolicy;
import io.millrace.internal.LogCapture;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.BatchStats;
import io.millrace.jobtracker.domain.batch.SampleBatches;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.batch.BatchStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the task looks at, and that one batch does not hold up the others. */
class BatchTaskTest extends ServiceTest {
  private final List<String> reads = new ArrayList<>();
  private HandDrivenTracker watched;
  private HandDrivenWorker worker;

  @BeforeEach
  void watchTracker() {
    watched = new HandDrivenTracker(3, watching(stores), time);
    worker = watched.worker("worker-1");
  }

  /** The stores, with a note of whatever is read of batches. */
  private Stores watching(Stores real) {
    return real.with(
        BatchStore.class,
        store ->
            (BatchStore)
                Proxy.newProxyInstance(
                    BatchStore.class.getClassLoader(),
                    new Class<?>[] {BatchStore.class},
                    (proxy, called, arguments) -> {
                      if (called.getName().startsWith("find")
                          || called.getName().equals("hasAny")) {
                        reads.add(called.getName());
                      }
                      try {
                        return called.invoke(store, arguments);
                      } catch (InvocationTargetException e) {
                        throw e.getCause();
                      }
                    }));
  }

  private List<Assignment> take(int most) {
    List<Assignment> parts = new ArrayList<>(worker.take(1));
    if (parts.size() < most) {
      parts.addAll(worker.takeAll(most - parts.size()));
    }
    return parts;
  }

  /** Runs that wait for their parts, of which the window is full. */
  private void hasManyRuns(int count) {
    List<Batch> many = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Batch batch = SampleBatches.open(watched.ids().next(time.millis()), 1_000);
      many.add(batch.with(batch.counts().releasing(256)));
    }
    stores.batches().insert(many);
  }

  @Test
  void endOfAPartAfterWhichNothingIsToBeDoneCostsNothing() {
    watched.submit(job("close").shards(400).build());
    List<Assignment> parts = take(20);
    watched.runBatches();
    reads.clear();

    parts.forEach(worker::succeed);
    assertThat(watched.runBatches()).isNull();

    assertThat(reads).isEmpty();
  }

  /** One of several hundred parts has failed, or been withdrawn. */
  @ParameterizedTest
  @EnumSource(names = "UNKNOWN", mode = EnumSource.Mode.EXCLUDE)
  void endOfAPartAfterAFailureCostsNothingIfTheRunGoesOnOrStopsAlready(PartFailurePolicy policy) {
    watched.submit(job("close").shards(400).onPartFailure(policy).build());
    List<Assignment> parts = take(20);
    worker.report(parts.get(0), Outcome.FAILED);
    watched.runBatches();
    BatchState state = stores.batches().findUnderWay(GROUP, 0, 1).get(0).state();
    assertThat(state)
        .isEqualTo(policy == PartFailurePolicy.STOP ? BatchState.STOPPING : BatchState.OPEN);
    reads.clear();

    parts.subList(1, 19).forEach(worker::succeed);
    assertThat(watched.runBatches()).isNull();

    assertThat(reads).isEmpty();
  }

  @Test
  void onlyTheRunIsLookedAtWhosePartsEnded() {
    hasManyRuns(1_000);
    watched.submit(job("close").shards(2).build());
    List<Assignment> parts = take(2);
    watched.runBatches();
    reads.clear();

    parts.forEach(worker::succeed);
    assertThat(watched.runBatches()).isEqualTo(new BatchTask.Done(1, 0, 0));

    assertThat(reads).containsOnly("find").hasSizeLessThanOrEqualTo(3);
  }

  @Test
  void searchReadsTheRunsWithWhichSomethingIsToBeDone() {
    hasManyRuns(1_000);
    time.pass(BatchTask.PERIOD);

    assertThat(watched.runBatches()).isNull();

    assertThat(reads)
        .containsExactly(
            "hasAny",
            "findStopping",
            "findAllEnded",
            "findToStop",
            "findToRelease",
            "findLeftStaged");
  }

  @Test
  void searchOfAGroupWithoutRunsIsOneReadInAPeriod() {
    watched.submit(job("plain").build());

    assertThat(watched.runBatches()).isNull();
    assertThat(reads).containsExactly("hasAny");
    time.pass(BatchTask.PERIOD.minusMillis(1));
    assertThat(watched.runBatches()).isNull();
    assertThat(reads).hasSize(1);
    time.pass(Duration.ofMillis(1));
    assertThat(watched.runBatches()).isNull();

    assertThat(reads).containsExactly("hasAny", "hasAny");
  }

  /** The search before found no run in the group, and the search after finds none again. */
  @Test
  void searchFindsTheFirstRunOfAGroupThoughNobodyTold() {
    assertThat(watched.runBatches()).isNull();
    HandDrivenTracker other = anotherTracker();
    HandDrivenWorker elsewhere = other.worker("worker-2");
    other.submit(job("close").shards(2).build());
    List<Assignment> parts = new ArrayList<>(elsewhere.take(1));
    parts.addAll(elsewhere.take(2 - parts.size()));
    time.pass(BatchTask.PERIOD);
    assertThat(watched.runBatches()).isNull();
    assertThat(watched.batchStats().open()).isEqualTo(1);
    parts.forEach(elsewhere::succeed);
    time.pass(BatchTask.PERIOD);

    assertThat(watched.runBatches()).isEqualTo(new BatchTask.Done(1, 0, 0));

    time.pass(BatchTask.PERIOD);
    assertThat(watched.runBatches()).isNull();
    assertThat(watched.batchStats()).isEqualTo(BatchStats.NONE);
  }

  /** What another tracker ended, or this one before it fell. */
  @Test
  void searchFindsWhatNobodyTold() {
    watched.submit(job("close").shards(2).build());
    List<Assignment> parts = take(2);
    watched.runBatches();
    HandDrivenTracker other = tracker;
    parts.forEach(worker.movedTo(other)::succeed);
    assertThat(watched.runBatches()).isNull();

    time.pass(BatchTask.PERIOD);

    assertThat(watched.runBatches()).isEqualTo(new BatchTask.Done(1, 0, 0));
  }

  @Test
  void runThatCannotBeReadDoesNotHoldUpTheOthers() {
    watched.submit(job("broken").shards(2).build(), job("sound").shards(2).build());
    List<Assignment> parts = new ArrayList<>();
    while (parts.size() < 4) {
      List<Assignment> some = worker.take(4 - parts.size());
      assertThat(some).isNotEmpty();
      parts.addAll(some);
    }
    parts.forEach(worker::succeed);
    byHand("UPDATE jt_batch SET spec = '{' WHERE task_id = 'broken'");

    try (LogCapture log = new LogCapture(BatchTask.class)) {
      assertThat(watched.runBatches()).isEqualTo(new BatchTask.Done(1, 0, 0));
      assertThat(log.lines()).isNotEmpty().allMatch(line -> line.contains("can neither end"));
    }

    assertThat(ends("sound")).containsExactly("SUCCEEDED");
    assertThat(ends("broken")).isEmpty();
  }
}
