package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.executing;
import static io.millrace.jobtracker.store.StoreRows.job;
import static io.millrace.jobtracker.store.StoreRows.nextId;
import static io.millrace.jobtracker.store.StoreRows.oneShot;
import static io.millrace.jobtracker.store.StoreRows.planned;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Settlement;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.store.ListCounts.Bound;
import io.millrace.jobtracker.store.ListCounts.Count;
import io.millrace.jobtracker.store.ListCounts.Running;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ListCountsContractTest extends StoreContract {
  private static final int ALL = 1_000;

  private ListCounts counts;

  @BeforeEach
  void takeStore() {
    counts = stores.counts();
  }

  private record Found(int found, boolean isCut) {}

  private static Found exactly(int found) {
    return new Found(found, false);
  }

  private static Found atLeast(int found) {
    return new Found(found, true);
  }

  /** Counts in steps of several lengths, which must make no difference. */
  private static Found counted(int rows, Function<Bound, Count> count) {
    Found whole = found(count.apply(Bound.of(rows)));
    for (int step = 1; step <= 3; step++) {
      assertThat(found(count.apply(new Bound(rows, step, () -> true))))
          .as("in steps of %d rows", step)
          .isEqualTo(whole);
    }
    return whole;
  }

  private static Found found(Count count) {
    return new Found(count.found(), count.isCut());
  }

  private Found jobs(
      @Nullable String prefix, @Nullable String contained, @Nullable JobState state, int lookAt) {
    return counted(
        lookAt,
        bound ->
            counts.jobs(
                new JobStore.Search(nodeGroup, prefix, contained, state, null, null), bound));
  }

  @Test
  void jobsAreCountedByAllConditions() {
    stores
        .jobs()
        .insertAll(
            List.of(
                job(nodeGroup, "close:1"),
                job(nodeGroup, "close:2", 1, JobState.PAUSED, null, StoredParams.NONE),
                job(nodeGroup, "open:1"),
                job(newNodeGroup(), "close:3")));

    assertThat(jobs(null, null, null, ALL)).isEqualTo(exactly(3));
    assertThat(jobs("close:", null, null, ALL)).isEqualTo(exactly(2));
    assertThat(jobs(null, "E:1", null, ALL)).isEqualTo(exactly(1));
    assertThat(jobs(null, null, JobState.PAUSED, ALL)).isEqualTo(exactly(1));
    assertThat(
            counted(
                ALL,
                bound ->
                    counts.jobs(
                        new JobStore.Search(nodeGroup, null, null, null, "mailer", null), bound)))
        .isEqualTo(exactly(3));
    assertThat(
            counted(
                ALL,
                bound ->
                    counts.jobs(
                        new JobStore.Search(nodeGroup, null, null, null, "mail", null), bound)))
        .isEqualTo(exactly(0));
    assertThat(
            counted(
                ALL,
                bound ->
                    counts.jobs(
                        new JobStore.Search(nodeGroup, null, null, null, null, "the-shop"), bound)))
        .isEqualTo(exactly(0));
    assertThat(
            counted(
                    100_000,
                    bound ->
                        counts.jobs(new JobStore.Search(null, null, null, null, null, null), bound))
                .found())
        .isGreaterThanOrEqualTo(4);
  }

  @Test
  void countStopsAtItsBound() {
    for (int i = 0; i < 5; i++) {
      stores.jobs().insert(job(nodeGroup, "job-" + i));
    }

    assertThat(jobs(null, null, null, 5)).isEqualTo(exactly(5));
    assertThat(jobs(null, null, null, 4)).isEqualTo(atLeast(4));
    assertThat(jobs(null, "job-4", null, 3)).isEqualTo(atLeast(0));
  }

  @Test
  void whatWaitsIsCountedAndItsOneShots() {
    stores
        .waiting()
        .insert(
            nodeGroup,
            List.of(oneShot("a:1"), oneShot("a:2"), oneShot("b:1"), planned(7, "a:3", 5_000)));

    assertThat(counted(ALL, bound -> counts.waiting(nodeGroup, bound))).isEqualTo(exactly(4));
    assertThat(counted(3, bound -> counts.waiting(nodeGroup, bound))).isEqualTo(atLeast(3));
    assertThat(counted(ALL, bound -> counts.oneShots(nodeGroup, null, null, bound)))
        .isEqualTo(exactly(3));
    assertThat(counted(ALL, bound -> counts.oneShots(nodeGroup, "a:", null, bound)))
        .isEqualTo(exactly(2));
    assertThat(counted(ALL, bound -> counts.oneShots(nodeGroup, "a:", "mailer", bound)))
        .isEqualTo(exactly(2));
    assertThat(counted(ALL, bound -> counts.oneShots(nodeGroup, null, "other", bound)))
        .isEqualTo(exactly(0));
    assertThat(counted(2, bound -> counts.oneShots(nodeGroup, null, null, bound)))
        .isEqualTo(atLeast(2));
  }

  @Test
  void executionsAndSplitRunsAreCountedTogether() {
    stores
        .executing()
        .insert(
            List.of(
                executing(nodeGroup, "a"),
                executing(nodeGroup, "b"),
                executing(newNodeGroup(), "c")));
    stores.batches().insert(List.of(StoreRows.batch(nodeGroup, oneShot("d"), 3)));

    assertThat(counted(ALL, bound -> counts.running(new Running(nodeGroup, null, null), bound)))
        .isEqualTo(exactly(3));
    assertThat(counted(ALL, bound -> counts.running(new Running(nodeGroup, "d", null), bound)))
        .isEqualTo(exactly(1));
    assertThat(
            counted(ALL, bound -> counts.running(new Running(nodeGroup, null, "worker-1"), bound)))
        .isEqualTo(exactly(2));
    assertThat(
            counted(
                100_000, bound -> counts.running(new Running(null, null, "no-such-worker"), bound)))
        .isEqualTo(exactly(0));
    assertThat(
            counted(100_000, bound -> counts.running(new Running(null, null, null), bound)).found())
        .isGreaterThanOrEqualTo(4);
    assertThat(counted(1, bound -> counts.running(new Running(nodeGroup, null, null), bound)))
        .isEqualTo(atLeast(1));
  }

  private LedgerStore.Search endedIn(long fromId, long from, long before) {
    return new LedgerStore.Search(nodeGroup, Set.of(), null, fromId, Long.MAX_VALUE, from, before);
  }

  @Test
  void ledgerIsCountedAsAWholeAndOfOneJob() {
    long first = nextId();
    long jobId = nextId();
    for (LedgerStatus status :
        List.of(LedgerStatus.DEAD, LedgerStatus.SUCCEEDED, LedgerStatus.SUCCEEDED)) {
      stores
          .ledger()
          .append(
              List.of(
                  StoreRows.ended(nextId(), nodeGroup, jobId, "a", 5_000, status, "s", "done")));
    }
    LedgerStore.Search all = new LedgerStore.Search(nodeGroup, null, null, first, Long.MAX_VALUE);
    LedgerStore.Search dead =
        new LedgerStore.Search(nodeGroup, LedgerStatus.DEAD, "worker-1", first, Long.MAX_VALUE);

    assertThat(counted(ALL, bound -> counts.ledger(all, bound))).isEqualTo(exactly(3));
    assertThat(counted(ALL, bound -> counts.ledger(dead, bound))).isEqualTo(exactly(1));
    assertThat(counted(1, bound -> counts.ledger(dead, bound))).isEqualTo(atLeast(0));
    assertThat(counted(ALL, bound -> counts.ledger(endedIn(first, 5_003, 5_004), bound)))
        .isEqualTo(exactly(3));
    assertThat(counted(ALL, bound -> counts.ledger(endedIn(first, 5_004, 6_000), bound)))
        .isEqualTo(exactly(0));
    assertThat(counted(ALL, bound -> counts.ledgerOf(jobId, all, bound))).isEqualTo(exactly(3));
    assertThat(counted(ALL, bound -> counts.ledgerOf(jobId, dead, bound))).isEqualTo(exactly(1));
    assertThat(counted(ALL, bound -> counts.ledgerOf(first, all, bound))).isEqualTo(exactly(0));
  }

  private void died(String taskId, @Nullable Settlement settlement) {
    long id = nextId();
    stores
        .dead()
        .append(
            List.of(
                new DeadTrigger(
                    id,
                    nodeGroup,
                    new TriggerCore(TriggerKey.oneShot(taskId), id, 0, 4_999, 3),
                    100,
                    5_000,
                    null,
                    StoreRows.SPEC,
                    StoredParams.NONE,
                    null,
                    null,
                    settlement)));
  }

  private Found dead(@Nullable String prefix, @Nullable DeadState state, int lookAt) {
    return counted(
        lookAt,
        bound -> counts.dead(new DeadStore.Query(nodeGroup, prefix, state, 0, 9_000), bound));
  }

  @Test
  void deadTriggersAreCountedOverTheirStates() {
    died("a:1", null);
    died("a:2", null);
    died("b:1", null);
    died("a:3", new Settlement(9_000, "operator/ann", null));

    assertThat(dead(null, null, ALL)).isEqualTo(exactly(4));
    assertThat(dead("a:", null, ALL)).isEqualTo(exactly(3));
    assertThat(dead("a:", DeadState.OPEN, ALL)).isEqualTo(exactly(2));
    assertThat(dead(null, DeadState.OPEN, 2)).isEqualTo(atLeast(2));
    assertThat(dead(null, null, 4)).isEqualTo(exactly(4));
    assertThat(dead(null, null, 3)).isEqualTo(atLeast(3));
  }

  @Test
  void longCountOfTheLedgerPassesRowsOfTheSameInstant() {
    long jobId = nextId();
    for (int i = 0; i < 7; i++) {
      stores
          .ledger()
          .append(
              List.of(
                  StoreRows.ended(
                      nextId(), nodeGroup, jobId, "a", 5_000, LedgerStatus.RETRIED, "s", "again")));
    }
    LedgerStore.Search all = new LedgerStore.Search(nodeGroup, null, null, 0, Long.MAX_VALUE);

    assertThat(counted(ALL, bound -> counts.ledgerOf(jobId, all, bound))).isEqualTo(exactly(7));
    assertThat(counted(6, bound -> counts.ledgerOf(jobId, all, bound))).isEqualTo(atLeast(6));
  }

  @Test
  void countEndsBetweenTwoStepsOnceItMayNotGoOn() {
    stores
        .waiting()
        .insert(nodeGroup, List.of(oneShot("a"), oneShot("b"), oneShot("c"), oneShot("d")));
    AtomicInteger asked = new AtomicInteger();

    Count cut = counts.waiting(nodeGroup, new Bound(ALL, 1, () -> asked.incrementAndGet() < 3));

    assertThat(cut).isEqualTo(new Count(3, 3, true));
    assertThat(asked).hasValue(3);
  }
}
