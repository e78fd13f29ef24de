package io.millrace.jobtracker.faults;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CancelResult;
import io.millrace.api.DeclareResult;
import io.millrace.api.RunNowResult;
import io.millrace.api.TerminateResult;
import io.millrace.api.TriggerResult;
import io.millrace.api.ValueMapper;
import io.millrace.internal.protocol.DeclareReply;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.JobVersion;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Replay;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.jobtracker.store.JobStore;
import io.millrace.jobtracker.store.Stores;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What holds when a scenario is over, whatever has happened in it. */
final class CrashInvariants {
  private static final Set<String> ONE_AT_A_TIME =
      Set.of("skips", "queues", "delay", "rely", "splits", "chops", "spreads");

  private static final Map<String, Integer> PARTS_OF =
      Map.ofEntries(
          entry("sharded", 3),
          entry("breaks", 2),
          entry("mends", 3),
          entry("large", 300),
          entry("ended", 8),
          entry("splits", 2),
          entry("chops", 2),
          entry(CrashScenario.MAPS, 3),
          entry(CrashScenario.BRANCHES, 2));

  private final CrashScenario scenario;
  private final List<LedgerEntry> ledger;

  CrashInvariants(CrashScenario scenario) {
    this.scenario = scenario;
    this.ledger = scenario.database.database().stores().ledger().readAfter(Long.MIN_VALUE, 100_000);
  }

  /** Checks all that holds after a scenario in which this went wrong. */
  void check(Fault fault) {
    nothingIsStuck();
    everySubmitIsAcknowledgedAndHasItsDisposition();
    everyPlannedInstantHasOneDisposition("cron", 1);
    everyPlannedInstantHasOneDisposition("skips", 2);
    everyPlannedInstantHasOneDisposition("queues", 2);
    everyPlannedInstantHasOneDisposition("splits", 2);
    everyPlannedInstantHasOneDisposition("spreads", 2);
    everyPlannedInstantHasOneDisposition("missed", 1);
    noTriggerHasTwo();
    nothingRunsTwice();
    nothingRunsAfterItsTriggerEnded();
    nothingStartsBeforeItsTime();
    ONE_AT_A_TIME.forEach(this::runsOneAtATime);
    nothingIsClaimedAfter("pause paused", "paused", "resume paused");
    nothingIsClaimedAfter("cancel cron", "cron", null);
    changesAreCarriedOut();
    deadTriggerIsReplayedOnce();
    deadPartIsReplayedOnceInItsPlace();
    deadRunIsReplayedOnceWithoutWhatSucceeded();
    everySuccessHasItsResultAndNothingElseHasOne();
    everyDefinitionHasItsVersion();
    if (fault == Fault.UNREACHABLE) {
      leasesRunOutOnlyOfWhatNobodyRuns();
    } else {
      leasesRunOutOnlyOfWorkersThatFell();
    }
    whatIsDeadWasMeantToDie();
    everyRunThatWasSplitEndsOnceAfterItsLastPart();
    partWithoutARunEndsAsCancelled();
    nothingOfARunBeginsAfterItWasStopped();
    partsOfABroadcastAreForOneWorkerEach();
  }

  private void nothingIsStuck() {
    for (String table :
        List.of(
            "jt_waiting_orders", "jt_waiting_idle", "jt_executing", "jt_batch", "jt_feedback")) {
      assertThat(scenario.database.database().query("SELECT * FROM " + table))
          .as("left in %s at %s", table, scenario.now())
          .isEmpty();
    }
    assertThat(
            scenario
                .database
                .database()
                .query("SELECT p.batch_id FROM jt_part p JOIN jt_history h ON h.id = p.batch_id"))
        .as("parts of runs that were split, and none that were staged for nothing")
        .extracting(Long::parseLong)
        .isSubsetOf(partsByRun().keySet());
    assertThat(scenario.client().isAnswered()).as("the client has its answers").isTrue();
    assertThat(
            scenario
                .database
                .database()
                .query("SELECT task_id FROM jt_job WHERE state IN ('ACTIVE', 'PAUSED')"))
        .as("live jobs")
        .isEmpty();
  }

  private void everyDefinitionHasItsVersion() {
    Stores stores = scenario.database.database().stores();
    JobStore.Search all = new JobStore.Search(null, null, null, null, null);
    List<JobDefinition> jobs =
        stores.jobs().search(all, JobStore.Place.START, 1_000, 1_000).jobs().stream()
            .map(JobStore.FoundJob::job)
            .toList();
    assertThat(jobs).isNotEmpty();
    for (JobDefinition job : jobs) {
      List<JobVersion> versions = stores.versions().list(job.id(), Integer.MAX_VALUE, 1_000);
      assertThat(versions).as("versions of " + job.taskId()).isNotEmpty();
      JobVersion latest = versions.get(0);
      assertThat(latest.submissionId())
          .as("of the latest version of " + job.taskId())
          .isEqualTo(job.spec().submissionId());
      assertThat(latest.definition() == null)
          .as("whether the latest version of " + job.taskId() + " is its cancel")
          .isEqualTo(job.state() == JobState.CANCELLED);
      assertThat(versions)
          .extracting(version -> version.author().source())
          .doesNotContain(JobVersion.Source.UNRECORDED);
    }
  }

  private void everySubmitIsAcknowledgedAndHasItsDisposition() {
    assertThat(scenario.submits.values()).allMatch(result -> result.isStored());
    for (String taskId : List.of("once", "told", "flaky", "later", "sharded", CrashScenario.MAPS)) {
      assertThat(finals(taskId))
          .as(taskId)
          .extracting(LedgerEntry::status)
          .containsExactly(LedgerStatus.SUCCEEDED);
    }
    assertThat(finals("breaks"))
        .extracting(LedgerEntry::status)
        .containsExactly(LedgerStatus.DEAD, LedgerStatus.SUCCEEDED);
    assertThat(finals("mends"))
        .extracting(LedgerEntry::status)
        .containsExactly(LedgerStatus.SUCCEEDED);
    assertThat(finals("large"))
        .extracting(LedgerEntry::status)
        .containsExactly(LedgerStatus.CANCELLED);
    assertThat(finals("ended")).hasSize(1);
    assertThat(finals(CrashScenario.BRANCHES)).hasSize(1);
    assertThat(finals("fails"))
        .extracting(LedgerEntry::status)
        .containsExactly(LedgerStatus.FAILED);
    assertThat(finals("never"))
        .extracting(LedgerEntry::status)
        .containsExactly(LedgerStatus.CANCELLED);
    assertThat(finals("stopped")).hasSize(1);
    assertThat(finals("replaced"))
        .extracting(LedgerEntry::status)
        .containsExactly(LedgerStatus.CANCELLED, LedgerStatus.SUCCEEDED);
    assertThat(finals("finishes")).extracting(LedgerEntry::instants).hasSize(3).containsOnly(1L);
    assertThat(scenario.client().told())
        .extracting(TriggerResult::taskId)
        .contains("told")
        .containsOnly("told");
  }

  private void everySuccessHasItsResultAndNothingElseHasOne() {
    Map<Long, String> expected =
        ledger.stream()
            .filter(row -> row.status() == LedgerStatus.SUCCEEDED)
            .filter(row -> !partsByRun().containsKey(row.id()))
            .filter(row -> !jobOf(row).equals(CrashScenario.MAPS))
            .collect(
                Collectors.toMap(
                    LedgerEntry::id,
                    row ->
                        ValueMapper.standard()
                            .toJson(new CrashScenario.Returned(jobOf(row), row.id()))));
    expected.put(finals(CrashScenario.MAPS).get(0).id(), String.valueOf(CrashScenario.LEAVES));
    assertThat(
            scenario
                .database
                .database()
                .stores()
                .results()
                .find(ledger.stream().map(LedgerEntry::id).toList()))
        .isEqualTo(expected);
    assertThat(scenario.client().told())
        .allSatisfy(told -> assertThat(expected).containsValue(told.result()));
  }

  /** The task id that the handler saw: of a part, that of its run, which may be a part too. */
  private String jobOf(LedgerEntry row) {
    return PartKey.of(row.core()).isPresent()
        ? jobOf(finals(row.jobId()).get(0))
        : row.key().taskId();
  }

  private List<LedgerEntry> finals(long runId) {
    return ledger.stream().filter(row -> row.id() == runId && row.status().isFinal()).toList();
  }

  private Map<Long, List<LedgerEntry>> partsByRun() {
    return ledger.stream()
        .filter(row -> PartKey.of(row.core()).isPresent())
        .filter(row -> row.jobId() != CrashScenario.NO_BATCH)
        .collect(Collectors.groupingBy(LedgerEntry::jobId));
  }

  private void everyRunThatWasSplitEndsOnceAfterItsLastPart() {
    Map<Long, List<LedgerEntry>> byRun = partsByRun();
    for (String taskId :
        List.of("sharded", "breaks", "splits", "chops", "spreads", CrashScenario.MAPS)) {
      assertThat(finals(taskId)).as(taskId).anyMatch(run -> byRun.containsKey(run.id()));
    }
    assertThat(finals("#" + finals(CrashScenario.MAPS).get(0).id()))
        .as("the part that makes parts")
        .filteredOn(part -> part.key().ordinal() == 1)
        .singleElement()
        .matches(part -> byRun.containsKey(part.id()));
    byRun.forEach(
        (runId, rows) -> {
          assertThat(finals(runId)).as("ends of run %s", runId).hasSize(1);
          LedgerEntry run = finals(runId).get(0);
          List<LedgerEntry> parts = rows.stream().filter(row -> row.status().isFinal()).toList();
          assertThat(parts.stream().flatMap(CrashInvariants::numbersOf))
              .as("parts of %s that have ended", run.key())
              .containsExactlyInAnyOrderElementsOf(
                  IntStream.rangeClosed(1, partsOf(run, parts)).boxed().toList());
          assertThat(parts)
              .as("ends of parts of %s", run)
              .allMatch(row -> row.times().finishedAt() <= run.times().finishedAt());
          assertThat(run.status()).as("%s", run).isEqualTo(statusAfter(run, parts));
        });
  }

  /**
   * Of a broadcast as many as there were workers: two, and one after the other had vanished. A
   * replay that keeps what succeeded has the first part only.
   */
  private int partsOf(LedgerEntry run, List<LedgerEntry> parts) {
    String job = jobOf(run);
    if (!job.equals("spreads")) {
      return run.origin().replayOf() == null ? PARTS_OF.get(job) : 1;
    }
    assertThat(parts).hasSizeBetween(1, 2);
    return parts.size();
  }

  /** Each attempt is one of the same worker, and only what was for the vanished one is skipped. */
  private void partsOfABroadcastAreForOneWorkerEach() {
    partsByRun()
        .forEach(
            (runId, rows) -> {
              if (finals(runId).get(0).key().taskId().equals("spreads")) {
                rows.stream()
                    .filter(row -> row.workerId() != null)
                    .collect(
                        Collectors.groupingBy(
                            row -> row.key().ordinal(),
                            Collectors.mapping(LedgerEntry::workerId, Collectors.toSet())))
                    .forEach((number, workers) -> assertThat(workers).as("%s", rows).hasSize(1));
                assertThat(rows)
                    .filteredOn(row -> row.status() == LedgerStatus.SKIPPED)
                    .allMatch(
                        row -> Cause.of(CauseCode.WORKER_GONE, "worker-2").equals(row.cause()));
              }
            });
  }

  private void partWithoutARunEndsAsCancelled() {
    assertThat(ledger)
        .filteredOn(row -> row.jobId() == CrashScenario.NO_BATCH)
        .hasSizeLessThanOrEqualTo(1)
        .allMatch(row -> row.status() == LedgerStatus.CANCELLED);
  }

  /** A row stands for as many parts as it has instants. */
  private static Stream<Integer> numbersOf(LedgerEntry row) {
    int first = row.key().ordinal();
    return IntStream.range(first, first + (int) row.instants()).boxed();
  }

  private static LedgerStatus statusAfter(LedgerEntry run, List<LedgerEntry> parts) {
    if (run.status() == LedgerStatus.CANCELLED) {
      return LedgerStatus.CANCELLED;
    }
    Set<Long> replayed =
        parts.stream()
            .map(row -> row.origin().replayOf())
            .filter(Objects::nonNull)
            .collect(Collectors.toSet());
    Set<LedgerStatus> ends =
        parts.stream()
            .filter(row -> !replayed.contains(row.id()))
            .map(LedgerEntry::status)
            .collect(Collectors.toSet());
    return Stream.of(LedgerStatus.DEAD, LedgerStatus.FAILED)
        .filter(ends::contains)
        .findFirst()
        .orElse(
            ends.contains(LedgerStatus.CANCELLED) ? LedgerStatus.FAILED : LedgerStatus.SUCCEEDED);
  }

  private void nothingOfARunBeginsAfterItWasStopped() {
    for (String job : List.of("large", CrashScenario.BRANCHES)) {
      long stopped = scenario.answered.get("cancel " + job).toEpochMilli();
      assertThat(ledger)
          .filteredOn(row -> row.times().claimedAt() != null && PartKey.of(row.core()).isPresent())
          .filteredOn(row -> row.jobId() != CrashScenario.NO_BATCH && jobOf(row).equals(job))
          .as("claims of parts of %s after the cancel was answered", job)
          .noneMatch(row -> row.times().claimedAt() > stopped);
    }
  }

  private void everyPlannedInstantHasOneDisposition(String taskId, int seconds) {
    List<Long> instants = new ArrayList<>();
    for (LedgerEntry row : finals(taskId)) {
      if (!row.key().isExtra()) {
        long step =
            row.instants() == 1 ? 1 : (row.plannedTo() - row.plannedFor()) / (row.instants() - 1);
        for (int i = 0; i < row.instants(); i++) {
          instants.add(row.plannedFor() + i * step);
        }
      }
    }
    instants.sort(Comparator.naturalOrder());
    long period = seconds * 1_000L;
    Instant first = Instant.ofEpochMilli(instants.get(0));
    Instant last = Instant.ofEpochMilli(instants.get(instants.size() - 1));
    List<Long> grid = new ArrayList<>();
    for (long at = first.toEpochMilli(); at <= last.toEpochMilli(); at += period) {
      grid.add(at);
    }
    assertThat(instants).as("instants of %s", taskId).isEqualTo(grid);
    assertThat(first)
        .as("first of %s", taskId)
        .isBeforeOrEqualTo(scenario.answered.get("submit " + taskId).plusMillis(period));
    assertThat(last)
        .as("last of %s", taskId)
        .isAfter(scenario.asked.get("cancel " + taskId).minusMillis(period));
  }

  private void noTriggerHasTwo() {
    assertThat(
            ledger.stream()
                .filter(row -> row.status().isFinal())
                .map(row -> row.jobId() + " " + row.key()))
        .as("triggers that have ended")
        .doesNotHaveDuplicates();
    for (String taskId : List.of("paused", "edited", "damaged", "rely", "delay")) {
      assertThat(finals(taskId)).as(taskId).isNotEmpty();
    }
  }

  private void nothingRunsTwice() {
    assertThat(scenario.runs)
        .extracting(CrashScenario.Run::executionId)
        .as("executions that were run")
        .doesNotHaveDuplicates();
  }

  private void nothingRunsAfterItsTriggerEnded() {
    Map<String, Long> ended =
        ledger.stream()
            .filter(row -> row.status().isFinal() && row.status() != LedgerStatus.SKIPPED)
            .collect(Collectors.toMap(CrashInvariants::triggerOf, LedgerEntry::id));
    for (LedgerEntry row : ledger) {
      Long end = ended.get(triggerOf(row));
      assertThat(end == null || row.id() <= end)
          .as("%s ended with %s; execution %s came later", row.key(), end, row.id())
          .isTrue();
    }
    Set<Long> known = ledger.stream().map(LedgerEntry::id).collect(Collectors.toSet());
    assertThat(scenario.runs)
        .as("what was run is in the ledger")
        .allMatch(run -> known.contains(run.executionId()));
  }

  private static String triggerOf(LedgerEntry row) {
    return row.jobId() + "/" + row.key();
  }

  private void nothingStartsBeforeItsTime() {
    assertThat(scenario.runs).allMatch(run -> !run.startedAt().isBefore(run.dueAt()));
  }

  private void runsOneAtATime(String taskId) {
    List<LedgerEntry> claimed =
        ledger.stream()
            .filter(row -> row.key().taskId().equals(taskId) && row.times().claimedAt() != null)
            .sorted(Comparator.comparing(row -> Objects.requireNonNull(row.times().claimedAt())))
            .toList();
    for (int i = 1; i < claimed.size(); i++) {
      assertThat(claimed.get(i).times().claimedAt())
          .as("%s after %s", claimed.get(i), claimed.get(i - 1))
          .isGreaterThanOrEqualTo(claimed.get(i - 1).times().finishedAt());
    }
  }

  private void nothingIsClaimedAfter(String change, String taskId, @Nullable String until) {
    long from = scenario.answered.get(change).toEpochMilli();
    long to = until == null ? Long.MAX_VALUE : scenario.asked.get(until).toEpochMilli();
    assertThat(ledger)
        .filteredOn(row -> row.key().taskId().equals(taskId) && row.times().claimedAt() != null)
        .as("claims of %s between %s and %s", taskId, from, to)
        .noneMatch(row -> row.times().claimedAt() > from && row.times().claimedAt() < to);
  }

  private void changesAreCarriedOut() {
    assertThat(scenario.answers.get("run now cron"))
        .isInstanceOfSatisfying(RunNowResult.class, run -> assertThat(run.isAccepted()).isTrue());
    assertThat(ledger)
        .filteredOn(row -> row.key().taskId().equals("cron") && row.key().isExtra())
        .filteredOn(row -> row.status().isFinal())
        .hasSize(1);
    assertThat(scenario.answers.get("declare"))
        .isInstanceOfSatisfying(
            DeclareReply.class,
            page ->
                assertThat(page.jobs())
                    .extracting(DeclareResult.JobResult::change)
                    .containsExactly(DeclareResult.Change.ADDED));
    assertThat(scenario.answers).hasSize(26);
  }

  /** Whoever asked, and however often: one trigger is written in the place of the dead one. */
  private void deadTriggerIsReplayedOnce() {
    assertThat(finals("dies"))
        .extracting(LedgerEntry::status)
        .containsExactly(LedgerStatus.DEAD, LedgerStatus.SUCCEEDED);
    LedgerEntry dead = finals("dies").get(0);
    LedgerEntry replay = finals("dies").get(1);
    assertThat(replay.origin().replayOf()).isEqualTo(dead.id());
    assertThat(scenario.answers.get(CrashScenario.REPLAY))
        .isInstanceOfSatisfying(
            ReplayResult.class, result -> assertThat(result.replayId()).isEqualTo(replay.jobId()));
    assertThat(scenario.database.database().stores().dead().find(dead.id()))
        .hasValueSatisfying(
            kept -> assertThat(kept.replay()).isEqualTo(new Replay(replay.jobId(), 0)));
    assertThat(scenario.database.database().query("SELECT id FROM jt_dead WHERE task_id = 'dies'"))
        .hasSize(1);
  }

  private void deadPartIsReplayedOnceInItsPlace() {
    long run = finals("mends").get(0).id();
    List<LedgerEntry> parts = finals("#" + run);
    assertThat(parts)
        .extracting(row -> row.key().ordinal() + " " + row.status())
        .containsExactlyInAnyOrder("1 DEAD", "2 SUCCEEDED", "3 SUCCEEDED");
    assertThat(scenario.answers.get(CrashScenario.REPLAY_PART))
        .isInstanceOfSatisfying(
            ReplayResult.class, result -> assertThat(result.replayId()).isEqualTo(run));
  }

  private void deadRunIsReplayedOnceWithoutWhatSucceeded() {
    LedgerEntry dead = finals("breaks").get(0);
    LedgerEntry replay = finals("breaks").get(1);
    assertThat(replay.origin().replayOf()).isEqualTo(dead.id());
    assertThat(finals("#" + replay.id()))
        .extracting(row -> row.key().ordinal() + " " + row.status())
        .containsExactly("1 SUCCEEDED");
    assertThat(scenario.answers.get(CrashScenario.REPLAY_REST))
        .isInstanceOfSatisfying(
            ReplayResult.class, result -> assertThat(result.replayId()).isEqualTo(replay.jobId()));
  }

  /** An execution that no worker was told of, or whose tracker fell, has used up no attempt. */
  private void leasesRunOutOnlyOfWorkersThatFell() {
    assertThat(ledger)
        .filteredOn(row -> row.status() == LedgerStatus.RESCUED)
        .as("executions whose leases ran out")
        .allMatch(row -> "worker-2".equals(row.workerId()));
  }

  /**
   * A store that cannot be reached cannot take back either what never reached its worker: then the
   * lease of that runs out too.
   */
  private void leasesRunOutOnlyOfWhatNobodyRuns() {
    Set<Long> begun =
        scenario.runs.stream().map(CrashScenario.Run::executionId).collect(Collectors.toSet());
    assertThat(ledger)
        .filteredOn(row -> row.status() == LedgerStatus.RESCUED)
        .filteredOn(row -> begun.contains(row.id()))
        .as("executions whose leases ran out after they had begun")
        .allMatch(row -> "worker-2".equals(row.workerId()));
  }

  private void whatIsDeadWasMeantToDie() {
    assertThat(ledger)
        .filteredOn(row -> row.status() == LedgerStatus.DEAD)
        .allMatch(row -> Set.of("dies", "breaks", "mends").contains(jobOf(row)));
  }

  /** Answers as they are if nothing goes wrong. */
  void checkThatNobodyNoticed() {
    assertThat(scenario.client().repeats()).as("questions asked again").isZero();
    assertThat(ledger)
        .as("what was claimed reached its worker, unless that has vanished")
        .noneMatch(
            row -> row.status() == LedgerStatus.RETURNED && !"worker-2".equals(row.workerId()));
    assertThat(List.of(CrashScenario.REPLAY, CrashScenario.REPLAY_REST, CrashScenario.REPLAY_PART))
        .extracting(name -> ((ReplayResult) scenario.answers.get(name)).status())
        .containsOnly(ReplayResult.Status.REPLAYED);
    assertThat(scenario.answers.get("cancel never")).isEqualTo(new CancelResult(true, 1, 0));
    assertThat(scenario.answers.get("cancel large")).isEqualTo(new CancelResult(true, 0, 1));
    assertThat(scenario.answers.get("cancel " + CrashScenario.BRANCHES))
        .isEqualTo(new CancelResult(true, 0, 1));
    assertThat(partsByRun().get(finals(CrashScenario.BRANCHES).get(0).id()))
        .as("parts that were split when their run was cancelled")
        .anyMatch(part -> partsByRun().containsKey(part.id()));
    assertThat(scenario.answers.get("terminate ended")).isEqualTo(new TerminateResult(1));
    assertThat(ledger).anyMatch(row -> row.jobId() == CrashScenario.NO_BATCH);
    assertThat(scenario.answers.get("pause paused")).asString().contains("status=CHANGED");
    assertThat(scenario.answers.get("resume paused")).asString().contains("status=CHANGED");
    assertThat(scenario.submits.get("replace replaced").status().name()).isEqualTo("REPLACED");
    assertThat(scenario.submits.get("replace edited").status().name()).isEqualTo("REPLACED");
  }

  private List<LedgerEntry> finals(String taskId) {
    return ledger.stream()
        .filter(row -> row.key().taskId().equals(taskId) && row.status().isFinal())
        .toList();
  }
}
