package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Disposition;
import io.millrace.api.Job;
import io.millrace.api.SubmitStatus;
import io.millrace.api.TriggerResult;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.domain.outcome.CauseWords;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.store.TestDatabase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** One tracker, four workers and one client in one JVM, over TCP: what must hold afterwards. */
abstract class ClusterContract {
  private static final long CLAIM_AHEAD = ServiceConfig.Workers.DEFAULT.claimAhead().toMillis();

  private static TestDatabase database;
  private static ClusterRun run;

  /** Runs the workload on a new database, before the tests of a class. */
  static void runTheWorkload(TestDatabase on) {
    database = on;
    run = ClusterRun.on(database);
  }

  @AfterAll
  static void closeDatabase() {
    database.close();
  }

  @Test
  void everySubmitIsAccepted() {
    assertThat(run.submitted())
        .hasSize(Workload.ONE_SHOTS + Workload.recurring().size())
        .allMatch(result -> result.status() == SubmitStatus.ACCEPTED);
  }

  @Test
  void everyTriggerHasExactlyOneDispositionAsItsLastRow() {
    Map<String, List<LedgerEntry>> rowsByTrigger = new TreeMap<>();
    run.ledger().forEach(row -> rowsOf(rowsByTrigger, row).add(row));

    assertThat(rowsByTrigger.entrySet())
        .hasSizeGreaterThanOrEqualTo(Workload.FINITE_ENDS)
        .filteredOn(
            trigger -> {
              List<LedgerEntry> rows = trigger.getValue();
              return rows.stream().filter(row -> row.status().isFinal()).count() != 1
                  || !rows.get(rows.size() - 1).status().isFinal();
            })
        .isEmpty();
  }

  private static List<LedgerEntry> rowsOf(Map<String, List<LedgerEntry>> rows, LedgerEntry row) {
    return rows.computeIfAbsent(row.key().toString(), key -> new ArrayList<>());
  }

  @Test
  void everyOneShotEndedTheWayItsInvocationSaid() {
    Map<String, List<String>> said = new TreeMap<>();
    for (LedgerEntry row : run.ledger()) {
      if (row.key().plannedAt() == 0 && row.status() != LedgerStatus.RETURNED) {
        said.computeIfAbsent(row.key().taskId(), id -> new ArrayList<>())
            .add(row.status() + " " + row.attempt());
      }
    }

    assertThat(said).hasSize(Workload.ONE_SHOTS);
    assertThat(IntStream.range(0, Workload.ONE_SHOTS))
        .filteredOn(i -> !Workload.behaviourOf(i).ledger().equals(said.get(Workload.taskId(i))))
        .isEmpty();
  }

  @Test
  void nothingIsLeftWaitingOrExecuting() {
    assertThat(run.strangersWaiting()).as("beside the cron job's triggers").isZero();
    assertThat(run.waiting()).isZero();
    assertThat(run.executing()).isZero();
    assertThat(run.unacknowledged()).isZero();
  }

  @Test
  void everyExecutionThatBeganRanItsInvocationExactlyOnce() {
    Map<Long, LedgerEntry> executions =
        run.ledger().stream()
            .filter(row -> row.times().startedAt() != null)
            .collect(Collectors.toMap(LedgerEntry::id, Function.identity()));

    assertThat(run.runs()).extracting(Run::executionId).doesNotHaveDuplicates();
    assertThat(run.runs())
        .allSatisfy(
            ran -> {
              LedgerEntry row = executions.get(ran.executionId());
              assertThat(row).as("ledger row of %s", ran).isNotNull();
              assertThat(ran)
                  .isEqualTo(
                      new Run(
                          row.id(),
                          row.key().taskId(),
                          row.plannedFor(),
                          row.attempt(),
                          String.valueOf(row.workerId())));
            });
    assertThat(run.runs()).hasSameSizeAs(executions.keySet());
  }

  /** A trigger that was claimed ahead is withheld if its job is cancelled before it is due. */
  @Test
  void whatWasClaimedAndNeverBeganWentBackOrWasCancelledWithItsJob() {
    assertThat(run.ledger())
        .filteredOn(row -> row.times().claimedAt() != null && row.times().startedAt() == null)
        .filteredOn(row -> row.status() != LedgerStatus.RETURNED)
        .allMatch(
            row ->
                row.status() == LedgerStatus.CANCELLED && row.key().taskId().equals(Workload.CRON));
  }

  /** Claimed a moment ahead, maybe, but not begun. */
  @Test
  void nothingBeginsBeforeItIsDue() {
    assertThat(run.ledger())
        .filteredOn(row -> row.times().startedAt() != null)
        .hasSizeGreaterThan(Workload.ONE_SHOTS)
        .allMatch(row -> row.times().startedAt() >= row.times().dueAt());
    assertThat(run.ledger())
        .filteredOn(row -> row.times().claimedAt() != null)
        .allMatch(row -> row.times().claimedAt() >= row.times().dueAt() - CLAIM_AHEAD);
  }

  @Test
  void everyWorkerGetsItsShare() {
    assertThat(run.runs().stream().collect(Collectors.groupingBy(Run::workerId)))
        .hasSize(4)
        .allSatisfy((worker, runs) -> assertThat(runs).hasSizeGreaterThan(100));
  }

  @Test
  void feedbackSaysWhatTheLedgerSays() {
    Set<String> asking = asking();
    Set<TriggerResult> expected =
        run.ledger().stream()
            .filter(row -> row.status().isFinal() && asking.contains(row.key().taskId()))
            .map(ClusterContract::resultOf)
            .collect(Collectors.toSet());

    assertThat(expected).hasSizeGreaterThan(Workload.ONE_SHOTS / 4);
    assertThat(run.feedback()).isEqualTo(expected);
  }

  private static Set<String> asking() {
    return Stream.concat(Workload.oneShots().stream(), Workload.recurring().stream())
        .filter(Job::feedback)
        .map(Job::taskId)
        .collect(Collectors.toSet());
  }

  private static TriggerResult resultOf(LedgerEntry row) {
    return new TriggerResult(
        row.nodeGroup(),
        row.key().taskId(),
        Instant.ofEpochMilli(row.plannedFor()),
        row.key().ordinal(),
        Disposition.valueOf(row.status().name()),
        row.attempt(),
        row.message() == null ? CauseWords.english(row.cause()) : row.message(),
        Instant.ofEpochMilli(row.times().finishedAt()));
  }

  @Test
  void jobLogsAreCompleteInOrderAndNeverMixed() {
    assertThat(run.jobLog()).hasSizeGreaterThan(Workload.ONE_SHOTS / 10);
    assertThat(run.jobLog()).isEqualTo(Workload.jobLog(run.runs()));
  }

  @Test
  void theCronJobHasEverySecondOnce() {
    List<LedgerEntry> ends = endsOf(Workload.CRON);

    long first = ends.get(0).plannedFor();
    assertThat(ends)
        .extracting(LedgerEntry::plannedFor)
        .isEqualTo(instants(first, 1_000, ends.size()));
    assertThat(ends)
        .extracting(LedgerEntry::status)
        .startsWith(LedgerStatus.SUCCEEDED, LedgerStatus.SUCCEEDED, LedgerStatus.SUCCEEDED)
        .isSubsetOf(LedgerStatus.SUCCEEDED, LedgerStatus.CANCELLED);
  }

  @Test
  void theRepeatingJobHasEachOfItsTimesOnItsGrid() {
    List<LedgerEntry> ends = endsOf(Workload.REPEAT);

    assertThat(ends)
        .extracting(LedgerEntry::plannedFor)
        .isEqualTo(
            instants(
                ends.get(0).plannedFor(),
                Workload.REPEAT_INTERVAL.toMillis(),
                Workload.REPEAT_TIMES));
    assertThat(ends).allMatch(row -> row.status() == LedgerStatus.SUCCEEDED && row.attempt() == 2);
  }

  @Test
  void aChainedJobsNextRunBeginsAfterTheEndOfTheOneBefore() {
    assertThat(endsOf(Workload.RELYING)).hasSize(Workload.RELYING_TIMES);
    assertThat(endsOf(Workload.FIXED_DELAY)).hasSize(Workload.FIXED_DELAY_TIMES);
    assertChained(Workload.RELYING, 0);
    assertChained(Workload.FIXED_DELAY, Workload.FIXED_DELAY_PAUSE.toMillis());
  }

  private static void assertChained(String taskId, long pause) {
    LedgerEntry before = null;
    for (LedgerEntry row : run.ledger()) {
      if (row.key().taskId().equals(taskId)) {
        if (before != null && before.status().isFinal()) {
          assertThat(row.times().startedAt())
              .isGreaterThanOrEqualTo(before.times().finishedAt() + pause);
        }
        before = row;
      }
    }
  }

  private static List<LedgerEntry> endsOf(String taskId) {
    return run.ledger().stream()
        .filter(row -> row.key().taskId().equals(taskId) && row.status().isFinal())
        .sorted(Comparator.comparingLong(LedgerEntry::plannedFor))
        .toList();
  }

  private static List<Long> instants(long first, long step, int count) {
    return IntStream.range(0, count).mapToObj(i -> first + i * step).toList();
  }
}
