package io.millrace.jobtracker.purge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.internal.LogCapture;
import io.millrace.jobtracker.domain.job.JobVersion;
import io.millrace.jobtracker.domain.job.JobVersion.Author;
import io.millrace.jobtracker.domain.job.JobVersion.Source;
import io.millrace.jobtracker.fixture.FaultyTransactions.Fault;
import io.millrace.jobtracker.store.console.WorkerStore;
import io.millrace.jobtracker.store.console.WorkerStore.Worker;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PurgerTest extends PurgeTest {
  private static final Duration WEEK = DAY.multipliedBy(7);
  private static final Duration OLD = WEEK.plus(MILLISECOND);

  @Test
  void nothingToDoIsNothingDone() {
    long young = logged(1, DAY);
    untold("shop", 1, DAY);
    ended(1, DAY);
    Purger purger = purger();
    assertThat(runAll(purger)).isZero();

    Purger.Purged again = purger.runOnce(time.millis());

    assertThat(again).isEqualTo(Purger.Purged.NOTHING);
    assertThat(again.isNothing()).isTrue();
    assertThat(stores.jobLog().read(young, 0, 10)).hasSize(1);
    assertThat(stores.feedback().read("shop", 0, 10)).hasSize(1);
    assertThat(ledgerIds()).hasSize(1);
  }

  @Test
  void linesOfExecutionsClaimedTooLongAgoAreDeletedInPortions() {
    long kept = logged(3, WEEK);
    long older = logged(35, OLD);
    Purger purger = purger();

    assertThat(purger.runOnce(time.millis()))
        .isEqualTo(new Purger.Purged(Map.of("job logs", 30L), true));
    assertThat(stores.jobLog().read(older, 0, 100)).extracting("sequence").startsWith(31);
    assertThat(purger.runOnce(time.millis()).rows().getOrDefault("job logs", 0L)).isEqualTo(5);

    assertThat(stores.jobLog().read(older, 0, 100)).isEmpty();
    assertThat(stores.jobLog().read(kept, 0, 100)).hasSize(3);
  }

  @Test
  void workersThatAreLongGoneAreForgotten() {
    long hourAgo = time.millis() - WorkerPurge.KEEP.toMillis();
    byHand("DELETE FROM jt_worker");
    WorkerStore workers = stores.console().fleet().workers();
    workers.put(
        IntStream.range(0, 45)
            .mapToObj(i -> lastPulled("w-%02d".formatted(i), hourAgo - (i == 44 ? 0 : 1)))
            .toList());
    Purger purger = purger();

    assertThat(purger.runOnce(time.millis()))
        .isEqualTo(new Purger.Purged(Map.of("workers", 30L), true));
    assertThat(purger.runOnce(time.millis()))
        .isEqualTo(new Purger.Purged(Map.of("workers", 14L), false));

    assertThat(workers.list(WorkerStore.WorkerKey.FIRST, 100))
        .extracting(Worker::workerId)
        .containsExactly("w-44");
    workers.put(List.of(lastPulled("w-10", hourAgo - 1)));
    assertThat(purger.runOnce(time.millis()).rows())
        .as("it starts again at the first worker")
        .isEqualTo(Map.of("workers", 1L));
  }

  @Test
  void submissionsOfVersionsThatWereReplacedLongAgoAreForgottenInPortions() {
    byHand("DELETE FROM jt_job_submission");
    long keep = CONFIG.ledgerKeep().toMillis();
    for (int version = 1; version <= 45; version++) {
      long replacedAt = time.millis() - keep - (version <= 35 ? 1 : 0);
      stores.jobs().rememberSubmission(7, version, "submission-" + version, replacedAt);
    }
    Purger purger = purger();

    assertThat(purger.runOnce(time.millis()))
        .isEqualTo(new Purger.Purged(Map.of("the submissions of former versions", 30L), true));
    assertThat(purger.runOnce(time.millis()).rows())
        .isEqualTo(Map.of("the submissions of former versions", 5L));

    assertThat(stores.jobs().remembersSubmission(7, "submission-35")).isFalse();
    assertThat(stores.jobs().remembersSubmission(7, "submission-36")).isTrue();
  }

  @Test
  void versionsOfJobsAreDeletedAsOldAsTheAudit() {
    long keep = CONFIG.auditKeep().toMillis();
    Author client = new Author(Source.CLIENT, "shop/client-1", null);
    stores
        .versions()
        .insert(
            IntStream.rangeClosed(1, 45)
                .mapToObj(
                    i ->
                        new JobVersion(
                            7, i, time.millis() - keep - (i <= 35 ? 1 : 0), client, "s-" + i, null))
                .toList());
    Purger purger = purger();

    assertThat(purger.runOnce(time.millis()))
        .isEqualTo(new Purger.Purged(Map.of("versions of jobs", 30L), true));
    assertThat(purger.runOnce(time.millis()).rows()).isEqualTo(Map.of("versions of jobs", 5L));

    assertThat(stores.versions().list(7, 100, 100)).hasSize(10);
  }

  private static Worker lastPulled(String id, long at) {
    return new Worker(id, "orders", 0, 0, "a", null, null, null, 0, List.of(), at, at, null, false);
  }

  @Test
  void feedbackThatNobodyTookIsDeletedAndToldOf() {
    untold("shop", 3, WEEK);
    untold("shop", 20, OLD);
    untold("billing", 2, OLD);

    try (LogCapture log = new LogCapture(FeedbackPurge.class)) {
      assertThat(purger().runOnce(time.millis()).rows().getOrDefault("feedback", 0L)).isEqualTo(22);

      assertThat(log.lines())
          .containsExactly(
              "WARN purge: deleted feedback that client groups did not acknowledge within"
                  + " PT168H: {billing=2, shop=20}");
    }
    assertThat(stores.feedback().read("shop", 0, 100)).hasSize(3);
    assertThat(stores.feedback().read("billing", 0, 100)).isEmpty();
  }

  @Test
  void feedbackIsDeletedInPortionsAndWhatWasDeletedBeforeAFaultIsToldOf() {
    untold("shop", 45, OLD);
    Purger purger = purger();

    try (LogCapture log = new LogCapture(FeedbackPurge.class)) {
      // One each for the ledger, dead triggers, results and job logs, then the first chunk of
      // feedback.
      transactions.failAfter(5, Fault.UNREACHABLE);
      assertThatThrownBy(() -> purger.runOnce(time.millis()))
          .isInstanceOf(StoreUnavailableException.class);

      assertThat(stores.feedback().read("shop", 0, 100)).hasSize(35);
      assertThat(log.lines()).singleElement().asString().contains("{shop=10}");
      assertThat(purger.runOnce(time.millis()))
          .isEqualTo(new Purger.Purged(Map.of("feedback", 30L), true));
      assertThat(purger.runOnce(time.millis()).rows().getOrDefault("feedback", 0L)).isEqualTo(5);
      assertThat(log.lines()).hasSize(3);
    }
  }

  @Test
  void oldEntriesOfTheAuditAreDeletedInPortions() {
    byHand("DELETE FROM jt_audit");
    audited(35, CONFIG.auditKeep().plus(MILLISECOND));
    List<Long> kept = audited(3, CONFIG.auditKeep());
    Purger purger = purger();

    assertThat(purger.runOnce(time.millis()))
        .isEqualTo(new Purger.Purged(Map.of("the audit", 30L), true));
    assertThat(auditIds()).hasSize(8).containsAll(kept);
    assertThat(purger.runOnce(time.millis()))
        .isEqualTo(new Purger.Purged(Map.of("the audit", 5L), false));
    assertThat(purger.runOnce(time.millis()).isNothing()).isTrue();

    assertThat(auditIds()).isEqualTo(kept);
  }

  @Test
  void onlyTheLiveTrackerWithTheLowestNumberPurges() {
    stores.trackers().release(self, "tracker-1");
    anotherLiveTracker(DAY);
    int second = anotherLiveTracker(DAY.multipliedBy(2)).number();
    logged(1, OLD.plus(DAY));
    Purger purger = purger(second, PurgeBounds.DEFAULT);

    assertThat(purger.runOnce(time.millis())).isEqualTo(Purger.Purged.NOTHING);

    time.pass(DAY);
    assertThat(purger.runOnce(time.millis()).rows().getOrDefault("job logs", 0L))
        .as("the lease of the first has run out")
        .isEqualTo(1);

    logged(1, OLD);
    time.pass(DAY);
    assertThat(purger.runOnce(time.millis()))
        .as("its own lease has run out as well")
        .isEqualTo(Purger.Purged.NOTHING);
  }

  @Test
  void twoTrackersThatPurgeAtATimeDeleteNoMoreThanOne() {
    List<Long> kept = ended(20, DAY);
    ended(55, DAY.multipliedBy(31));
    Purger one = purger();
    Purger other = purger();

    long deleted = 0;
    for (int i = 0; i < 5; i++) {
      deleted += one.runOnce(time.millis()).rows().getOrDefault("the ledger", 0L);
      deleted += other.runOnce(time.millis()).rows().getOrDefault("the ledger", 0L);
    }

    assertThat(deleted).isEqualTo(55);
    assertThat(ledgerIds()).isEqualTo(kept);
  }
}
