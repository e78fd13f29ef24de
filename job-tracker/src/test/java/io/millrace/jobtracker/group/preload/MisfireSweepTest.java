package io.millrace.jobtracker.group.preload;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.api.Schedule;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.FaultyTransactions.Fault;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.fixture.Interruptions;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.WaitingStore;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The sweep against others, against faults, and against many. */
class MisfireSweepTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** A load reads in one transaction, before others that decide. */
  private static final int READS_OF_A_LOAD = 1;

  private FaultyTransactions transactions;
  private HandDrivenTracker shaky;

  @BeforeEach
  void openShakyTracker() {
    transactions = new FaultyTransactions(stores.transactions());
    shaky = new HandDrivenTracker(3, FaultyTransactions.around(stores, transactions), time);
  }

  /** Nothing undecided is handed out, and nothing is lost. */
  @ParameterizedTest
  @EnumSource(Fault.class)
  void databaseFaultLeavesWhatIsUndecidedForTheNextLoad(Fault fault) {
    tracker.submit(job("poll").every(MINUTE).misfire(MisfirePolicy.none()).build());
    time.pass(Duration.ofMinutes(9));
    HandDrivenWorker worker = shaky.worker("worker-1");
    transactions.failAfter(READS_OF_A_LOAD, fault);
    if (fault == Fault.UNREACHABLE) {
      assertThatThrownBy(shaky::load).isInstanceOf(StoreUnavailableException.class);
      assertThat(shaky.group().head().isBlind()).isTrue();
      assertThat(ledger("poll")).isEmpty();
    } else {
      shaky.load();
    }

    List<Assignment> drawn = worker.take(100);

    assertThat(drawn).extracting(a -> minute(a.plannedFor().toEpochMilli())).containsExactly(9L);
    assertThat(ledger("poll")).singleElement().matches(row -> row.instants() == 9);
  }

  @Test
  void loadWithNothingMissedAndOneWithEverythingDecidedDecideNothing() {
    tracker.submit(jobs(20, MisfirePolicy.all()));
    transactions.failAfter(READS_OF_A_LOAD, Fault.UNREACHABLE);
    shaky.load();
    assertThat(transactions.wasReached()).isFalse();
    assertThat(shaky.group().head().dueCount()).isEqualTo(20);

    time.pass(Duration.ofMinutes(5));
    transactions.failAll(Fault.NONE);
    shaky.load();
    transactions.failAfter(READS_OF_A_LOAD, Fault.UNREACHABLE);
    shaky.load();

    assertThat(transactions.wasReached()).isFalse();
    assertThat(shaky.group().head().dueCount()).isEqualTo(20 * 6);
  }

  @Test
  void rowThatIsGoneWhenItIsToBeSkippedIsDecidedAnew() {
    tracker.submit(job("poll").every(MINUTE).misfire(MisfirePolicy.none()).build());
    time.pass(Duration.ofMinutes(4));
    WaitingTrigger first = waiting("poll").get(0);
    HandDrivenTracker raced =
        new HandDrivenTracker(
            4,
            Interruptions.after(
                stores,
                WaitingStore.class,
                "findOldestUnbegun",
                () -> stores.waiting().delete(GROUP, List.of(first.id()))),
            time);

    raced.load();

    assertThat(ledger("poll"))
        .singleElement()
        .matches(row -> row.instants() == 3 && minute(row.plannedFor()) == 1);
  }

  /** Another tracker, which still believes that it owns the group, draws what a load has read. */
  @Test
  void triggerThatIsDrawnMeanwhileRunsAndHasNoOtherEnd() {
    tracker.submit(job("poll").every(MINUTE).misfire(MisfirePolicy.all().atMost(1)).build());
    HandDrivenWorker worker = tracker.worker("worker-1");
    time.pass(Duration.ofSeconds(90));
    tracker.load();
    HandDrivenTracker raced =
        new HandDrivenTracker(
            4,
            Interruptions.after(
                stores,
                WaitingStore.class,
                "readDue",
                () -> worker.succeed(worker.receive(worker.pull(1)).get(0))),
            time);
    raced.load();
    time.pass(Duration.ofMinutes(2));
    raced.load();

    assertThat(ends("poll")).containsExactly("SUCCEEDED", "SKIPPED");
    assertThat(ledger("poll"))
        .extracting(row -> minute(row.plannedFor()))
        .as("minute 2 may run")
        .containsExactly(0L, 1L);
  }

  @Test
  void jobThatIsCancelledAfterItsRowsWereReadIsNotDecidedOn() {
    tracker.submit(job("poll").every(MINUTE).misfire(MisfirePolicy.none()).build());
    time.pass(Duration.ofMinutes(4));
    HandDrivenTracker raced =
        new HandDrivenTracker(
            4,
            Interruptions.after(
                stores, WaitingStore.class, "readDue", () -> tracker.cancel("poll")),
            time);

    raced.load();

    assertThat(raced.worker("worker-1").take(10)).isEmpty();
    assertThat(ledger("poll")).extracting(LedgerEntry::status).doesNotContain(LedgerStatus.SKIPPED);
  }

  /** Whoever repairs the one row must not have the whole group stand still until then. */
  @Test
  void jobThatCannotBeDecidedOnKeepsNobodyElseFromIt() {
    tracker.submit(jobs(5, MisfirePolicy.latest()));
    JobDefinition broken = broken();
    stores.jobs().insert(broken);
    WaitingTrigger trigger = broken.triggerFor(1, time.millis(), null, time.millis());
    stores.waiting().insert(GROUP, List.of(trigger));
    time.pass(Duration.ofMinutes(5));

    List<Assignment> drawn = tracker.worker("worker-1").take(100);

    assertThat(drawn).hasSize(5);
    assertThat(drawn).extracting(Assignment::taskId).doesNotContain("broken");
    assertThat(waiting("broken")).hasSize(1);
  }

  @Test
  void moreJobsThanOneTransactionTakesAreAllDecidedInOneLoad() {
    int jobs = 2 * MisfireSweep.JOBS_PER_TRANSACTION + 7;
    tracker.submit(jobs(jobs, MisfirePolicy.none()));
    time.pass(Duration.ofMinutes(4));

    tracker.load();

    assertThat(stores.ledger().readAfter(0, 10_000))
        .hasSize(jobs)
        .allMatch(row -> row.instants() == 4);
    assertThat(tracker.group().head().dueCount()).isEqualTo(jobs);
  }

  /** More rows than the deque holds are missed, and in front of what is in time. */
  @Test
  void missedRowsDoNotKeepTheRestWaitingForFurtherLoads() {
    tracker.submit(jobs(200, MisfirePolicy.none()));
    time.pass(Duration.ofMinutes(9));
    tracker.submit(job("urgent").priority(200).build());

    tracker.load();

    assertThat(tracker.group().head().dueCount()).isEqualTo(200 + 1);
  }

  @Test
  void moreRowsOfOneJobThanOneTransactionTakesAreDecidedAllTheSame() {
    Duration interval = Duration.ofMillis(50);
    tracker.submit(
        job("dense").every(interval).misfire(MisfirePolicy.latest()).build(),
        job("other").every(MINUTE).misfire(MisfirePolicy.none()).build());
    generateInTime();
    long missed = missedRows("dense");
    assertThat(missed).isGreaterThan(MisfireSweep.ROWS_PER_TRANSACTION);

    tracker.load();

    List<LedgerEntry> skipped = ledger("dense");
    assertThat(skipped.stream().mapToLong(LedgerEntry::instants).sum()).isEqualTo(missed);
    assertThat(skipped.get(0).plannedTo() + interval.toMillis())
        .as("several runs that join")
        .isEqualTo(skipped.get(1).plannedFor());
    assertThat(missedRows("dense")).isZero();
    assertThat(ledger("other")).hasSize(1);
  }

  /** Of a part of the rows the latest is not the latest. */
  @Test
  void whatMayRunIsSaidOfWholeJobsOnly() {
    MisfirePolicy one = MisfirePolicy.all().atMost(1);
    tracker.submit(
        job("dense").every(Duration.ofMillis(50)).misfire(one).build(),
        job("other").every(MINUTE).misfire(one).build());
    generateInTime();
    List<WaitingTrigger> dense = missed("dense");
    List<WaitingTrigger> other = missed("other");

    MisfireSweep.Decided decided =
        HandDrivenTracker.sweep(stores, new IdSequence(1, 1L << 50), tracker.signals())
            .decide(List.of(dense.get(0), other.get(0)), time.millis());

    assertThat(decided.runUntil().keySet())
        .containsExactlyInAnyOrder(
            dense.get(dense.size() - 1).id(), other.get(other.size() - 1).id());
    assertThat(decided.skipped()).hasSize(dense.size() + other.size() - 2);
  }

  /** Three minutes in which every trigger is written before it is due, and no worker is free. */
  private void generateInTime() {
    for (int i = 0; i < 26; i++) {
      time.pass(Duration.ofSeconds(7));
      tracker.generate();
    }
  }

  private List<WaitingTrigger> missed(String taskId) {
    long threshold = HandDrivenTracker.MISFIRE_THRESHOLD.toMillis();
    return waiting(taskId).stream()
        .filter(row -> row.isMissable() && row.inTimeUntil(threshold) < time.millis())
        .toList();
  }

  private long missedRows(String taskId) {
    return missed(taskId).size();
  }

  private static Job[] jobs(int count, MisfirePolicy policy) {
    return IntStream.range(0, count)
        .mapToObj(i -> job("job-" + i).every(MINUTE).misfire(policy).build())
        .toArray(Job[]::new);
  }

  private long minute(long plannedFor) {
    return (plannedFor - HandTime.START.toEpochMilli()) / 60_000;
  }

  private JobDefinition broken() {
    TriggerSpec spec =
        new TriggerSpec(null, RetryPolicy.DEFAULT, false, false, "shop", "s-1", "client-1");
    return new JobDefinition(
        99,
        GROUP,
        "broken",
        1,
        JobState.ACTIVE,
        new Schedule.Cron("not a cron", null),
        spec,
        StoredParams.NONE,
        1,
        time.millis(),
        time.millis(),
        null,
        0,
        false);
  }
}
