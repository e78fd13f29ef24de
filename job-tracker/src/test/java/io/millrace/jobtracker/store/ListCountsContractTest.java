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
import io.millrace.jobtracker.store.ListCounts.Count;
import io.millrace.jobtracker.store.ListCounts.Running;
import java.util.List;
import java.util.Set;
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

  private static Count exactly(int found) {
    return new Count(found, false);
  }

  private Count jobs(
      @Nullable String prefix, @Nullable String contained, @Nullable JobState state, int lookAt) {
    return counts.jobs(
        new JobStore.Search(nodeGroup, prefix, contained, state, null, null), lookAt);
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
    assertThat(counts.jobs(new JobStore.Search(nodeGroup, null, null, null, "mailer", null), ALL))
        .isEqualTo(exactly(3));
    assertThat(counts.jobs(new JobStore.Search(nodeGroup, null, null, null, "mail", null), ALL))
        .isEqualTo(exactly(0));
    assertThat(counts.jobs(new JobStore.Search(nodeGroup, null, null, null, null, "the-shop"), ALL))
        .isEqualTo(exactly(0));
    assertThat(
            counts.jobs(new JobStore.Search(null, null, null, null, null, null), 100_000).found())
        .isGreaterThanOrEqualTo(4);
  }

  @Test
  void countStopsAtItsBound() {
    for (int i = 0; i < 5; i++) {
      stores.jobs().insert(job(nodeGroup, "job-" + i));
    }

    assertThat(jobs(null, null, null, 5)).isEqualTo(exactly(5));
    assertThat(jobs(null, null, null, 4)).isEqualTo(new Count(4, true));
    assertThat(jobs(null, "job-4", null, 3)).isEqualTo(new Count(0, true));
  }

  @Test
  void whatWaitsIsCountedAndItsOneShots() {
    stores
        .waiting()
        .insert(
            nodeGroup,
            List.of(oneShot("a:1"), oneShot("a:2"), oneShot("b:1"), planned(7, "a:3", 5_000)));

    assertThat(counts.waiting(nodeGroup, ALL)).isEqualTo(exactly(4));
    assertThat(counts.waiting(nodeGroup, 3)).isEqualTo(new Count(3, true));
    assertThat(counts.oneShots(nodeGroup, null, null, ALL)).isEqualTo(exactly(3));
    assertThat(counts.oneShots(nodeGroup, "a:", null, ALL)).isEqualTo(exactly(2));
    assertThat(counts.oneShots(nodeGroup, "a:", "mailer", ALL)).isEqualTo(exactly(2));
    assertThat(counts.oneShots(nodeGroup, null, "other", ALL)).isEqualTo(exactly(0));
    assertThat(counts.oneShots(nodeGroup, null, null, 2)).isEqualTo(new Count(2, true));
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

    assertThat(counts.running(new Running(nodeGroup, null, null), ALL)).isEqualTo(exactly(3));
    assertThat(counts.running(new Running(nodeGroup, "d", null), ALL)).isEqualTo(exactly(1));
    assertThat(counts.running(new Running(nodeGroup, null, "worker-1"), ALL)).isEqualTo(exactly(2));
    assertThat(counts.running(new Running(null, null, "no-such-worker"), 100_000))
        .isEqualTo(exactly(0));
    assertThat(counts.running(new Running(null, null, null), 100_000).found())
        .isGreaterThanOrEqualTo(4);
    assertThat(counts.running(new Running(nodeGroup, null, null), 1)).isEqualTo(new Count(1, true));
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

    assertThat(counts.ledger(all, ALL)).isEqualTo(exactly(3));
    assertThat(counts.ledger(dead, ALL)).isEqualTo(exactly(1));
    assertThat(counts.ledger(dead, 1)).isEqualTo(new Count(0, true));
    assertThat(counts.ledger(endedIn(first, 5_003, 5_004), ALL)).isEqualTo(exactly(3));
    assertThat(counts.ledger(endedIn(first, 5_004, 6_000), ALL)).isEqualTo(exactly(0));
    assertThat(counts.ledgerOf(jobId, all, ALL)).isEqualTo(exactly(3));
    assertThat(counts.ledgerOf(jobId, dead, ALL)).isEqualTo(exactly(1));
    assertThat(counts.ledgerOf(first, all, ALL)).isEqualTo(exactly(0));
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

  private Count dead(@Nullable String prefix, @Nullable DeadState state, int lookAt) {
    return counts.dead(new DeadStore.Query(nodeGroup, prefix, state, 0, 9_000), lookAt);
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
    assertThat(dead(null, DeadState.OPEN, 2)).isEqualTo(new Count(2, true));
    assertThat(dead(null, null, 4)).isEqualTo(exactly(4));
    assertThat(dead(null, null, 3)).isEqualTo(new Count(3, true));
  }
}
