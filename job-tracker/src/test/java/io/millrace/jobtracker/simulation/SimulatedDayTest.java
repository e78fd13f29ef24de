package io.millrace.jobtracker.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.api.SubmitResult;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.JobRunner;
import io.millrace.tasktracker.Result;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A day of a cluster, in seconds: in it a worker vanishes, jobs fail, and the store does too. */
class SimulatedDayTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static final int SHARDS = 3;

  /** Much longer than the tracker looks ahead, and than a lease. */
  private static final Duration BACK_OFF = Duration.ofMinutes(5);

  /** The parts of a run that maps. */
  private static final int MAPPED = 4;

  /** A run with this parameter maps; so does its first part, if the number of levels is above 1. */
  private static final String LEVELS = "levels";

  /** Fails in a way that depends on nothing but the execution: every third first attempt throws. */
  private static final JobRunner FLAKY =
      context -> {
        if (context.taskId().startsWith("flaky")
            && context.attempt() < context.maxAttempts()
            && context.plannedFor().getEpochSecond() / 60 % 3 == 0) {
          throw new IllegalStateException("not yet");
        }
        if (context.taskId().equals("doomed")) {
          throw new IllegalStateException("never");
        }
        if (context.params().containsKey(LEVELS)) {
          mapParts(context, context.param(LEVELS, Integer.class));
        }
        return Result.success();
      };

  /** Maps in two calls; between them, the tracker answers the first. */
  private static void mapParts(JobContext context, int levels) {
    Map<String, Integer> first =
        levels > 1 ? Map.of("number", 1, LEVELS, levels - 1) : Map.of("number", 1);
    context.map(List.of(first, Map.of("number", 2)));
    context.map(List.of(Map.of("number", 3), Map.of("number", 4)));
  }

  /**
   * @param vanishedAt when the second worker did
   */
  private record Day(
      List<LedgerEntry> ledger, long waiting, long executing, int failures, Instant vanishedAt) {}

  private static Day simulate(long seed, Duration length) {
    try (SimulatedCluster cluster = new SimulatedCluster(seed, 0.002, 3, FLAKY)) {
      List<CompletableFuture<SubmitResult>> answers = new ArrayList<>();
      for (Job job : jobs(cluster.now())) {
        answers.add(cluster.client().submitAsync(job));
      }
      cluster.run(Duration.ofMinutes(1));
      assertThat(answers).allSatisfy(a -> assertThat(a.join().isStored()).isTrue());
      cluster.run(length.dividedBy(4));
      Instant vanishedAt = cluster.now();
      cluster.vanish("worker-2");
      cluster.run(length.dividedBy(4).multipliedBy(3));
      return new Day(
          cluster.ledger(),
          cluster.database().count("jt_waiting_orders"),
          cluster.database().count("jt_executing"),
          cluster.failedTransactions(),
          vanishedAt);
    }
  }

  private static List<Job> jobs(Instant now) {
    List<Job> jobs = new ArrayList<>();
    jobs.add(job("cron").cron("0 0/5 * * * ?", BERLIN).build());
    jobs.add(job("flaky-cron").cron("30 * * * * ?").retry(RetryPolicy.retries(2)).build());
    jobs.add(job("repeat").every(Duration.ofMinutes(7)).times(100).build());
    jobs.add(job("often").every(Duration.ofSeconds(40)).build());
    jobs.add(job("delay").fixedDelay(Duration.ofMinutes(3)).build());
    jobs.add(
        job("rely").cron("15 * * * * ?").relyOnPrevCycle(true).retry(RetryPolicy.NONE).build());
    jobs.add(split("split-cron").cron("0 0/20 * * * ?").build());
    jobs.add(
        split("flaky-split").cron("0 5/20 * * * ?").overlap(OverlapPolicy.skip()).retry(3).build());
    jobs.add(split("split-delay").fixedDelay(Duration.ofMinutes(12)).build());
    jobs.add(
        job("map-cron")
            .cron("0 10/20 * * * ?")
            .param(LEVELS, "2")
            .reduce(SimulatedCluster.REDUCE)
            .build());
    jobs.add(
        job("flaky-map")
            .cron("0 15/20 * * * ?")
            .param(LEVELS, "1")
            .overlap(OverlapPolicy.skip())
            .retry(3)
            .reduce(SimulatedCluster.REDUCE)
            .build());
    jobs.add(
        job("flaky-broadcast")
            .cron("0 0/20 * * * ?")
            .broadcast()
            .overlap(OverlapPolicy.skip())
            .retry(RetryPolicy.retries(1).withDelays(BACK_OFF, BACK_OFF))
            .build());
    jobs.add(job("labelled").cron("0 0/5 * * * ?").on("worker-1").build());
    jobs.add(split("labelled-split").cron("0 0/30 * * * ?").on("worker-3").build());
    jobs.add(job("sticky").cron("45 0/5 * * * ?").stickTo("customer-7").build());
    jobs.add(job("doomed").at(now.plusSeconds(3_600)).retry(1).build());
    for (int i = 0; i < 200; i++) {
      jobs.add(job("one-" + i).at(now.plusSeconds(300L * i)).priority(i % 4 * 50).build());
    }
    return jobs;
  }

  private static Job.Builder split(String taskId) {
    return job(taskId).shards(SHARDS).reduce(SimulatedCluster.REDUCE);
  }

  private static Job.Builder job(String taskId) {
    return Job.builder(SimulatedCluster.GROUP, taskId).param("of", taskId);
  }

  @Test
  @Tag("long")
  void everyPlannedInstantOfADayHasExactlyOneDisposition() {
    assertOneDispositionEach(24, 100, 200);
  }

  @Test
  void everyPlannedInstantOfFourHoursHasExactlyOneDisposition() {
    assertOneDispositionEach(4, 35, 49);
  }

  /**
   * @param repeats instants of the job that repeats 100 times, once in seven minutes
   * @param oneShots due one every five minutes
   */
  private static void assertOneDispositionEach(int hours, int repeats, int oneShots) {
    Day day = simulate(7, Duration.ofHours(hours));

    assertThat(day.failures()).as("transactions that failed").isPositive();
    assertThat(countByTrigger(day)).allSatisfy((key, count) -> assertThat(count).isOne());
    Instant from = SimulatedCluster.START.plusSeconds(10);
    Instant until = SimulatedCluster.START.plus(Duration.ofHours(hours));
    assertThat(finalInstants(day, "cron", from, until)).hasSize(hours * 12);
    assertThat(finalInstants(day, "flaky-cron", from, until)).hasSize(hours * 60);
    assertThat(finalInstants(day, "often", from, until)).hasSize(hours * 90 - 1);
    assertThat(finalInstants(day, "repeat", SimulatedCluster.START, until)).hasSize(repeats);
    assertThat(day.ledger())
        .filteredOn(row -> row.key().taskId().startsWith("one-"))
        .filteredOn(row -> row.status().isFinal())
        .hasSize(oneShots)
        .allSatisfy(row -> assertThat(row.status()).isEqualTo(LedgerStatus.SUCCEEDED));
    assertThat(day.ledger())
        .filteredOn(row -> row.key().taskId().equals("doomed") && row.status().isFinal())
        .singleElement()
        .satisfies(row -> assertThat(row.status()).isEqualTo(LedgerStatus.DEAD));
    assertThat(finalInstants(day, "split-cron", from, until)).hasSize(hours * 3);
    assertThat(finalInstants(day, "flaky-split", from, until)).hasSize(hours * 3);
    assertThat(finalInstants(day, "map-cron", from, until)).hasSize(hours * 3);
    assertThat(finalInstants(day, "flaky-map", from, until)).hasSize(hours * 3);
    assertThat(finalInstants(day, "labelled", from, until)).hasSize(hours * 12);
    assertThat(finalInstants(day, "sticky", from, until)).hasSize(hours * 12);
    for (String split : List.of("split-cron", "flaky-split", "split-delay", "labelled-split")) {
      assertSplitOnceAndEndedAfterItsParts(day, split, SHARDS);
    }
    assertSplitOnceAndEndedAfterItsParts(day, "map-cron", MAPPED);
    assertFirstPartMapped(day, "map-cron");
    assertSplitOnceAndEndedAfterItsParts(day, "flaky-map", MAPPED);
    assertRanOnlyOn(day, "labelled", "worker-1");
    assertThat(finalInstants(day, "flaky-broadcast", from, until))
        .as("all but the last, which waits for its next attempt")
        .hasSize(hours * 3 - 1);
    assertRanOnEachWorker(day, "flaky-broadcast");
    assertSkippedBeforeItsNextAttempt(day, "flaky-broadcast");
  }

  private static void assertSplitOnceAndEndedAfterItsParts(Day day, String taskId, int expected) {
    Map<String, List<LedgerEntry>> parts = endedByTask(day);
    assertThat(parts.get(taskId)).isNotEmpty();
    for (LedgerEntry run : parts.get(taskId)) {
      assertThat(run.status()).as("%s", run).isEqualTo(LedgerStatus.SUCCEEDED);
      String ofParts = PartKey.taskIdOf(run.id());
      assertThat(parts.get(ofParts))
          .as("parts and reduce of %s", run)
          .hasSize(expected + 1)
          .allMatch(part -> part.times().finishedAt() <= run.times().finishedAt());
      if (taskId.startsWith("labelled")) {
        assertRanOnlyOn(day, ofParts, "worker-3");
      }
    }
  }

  private static Map<String, List<LedgerEntry>> endedByTask(Day day) {
    return day.ledger().stream()
        .filter(row -> row.status().isFinal())
        .collect(Collectors.groupingBy(row -> row.key().taskId()));
  }

  private static void assertFirstPartMapped(Day day, String taskId) {
    Map<String, List<LedgerEntry>> ended = endedByTask(day);
    for (LedgerEntry run : ended.get(taskId)) {
      assertThat(ended.get(PartKey.taskIdOf(run.id())))
          .filteredOn(part -> part.key().ordinal() == 1)
          .singleElement()
          .satisfies(
              part ->
                  assertThat(ended.get(PartKey.taskIdOf(part.id())))
                      .as("with its reduce")
                      .hasSize(MAPPED + 1));
    }
  }

  /** Each part on the worker that it is for, in all of its attempts. */
  private static void assertRanOnEachWorker(Day day, String taskId) {
    for (LedgerEntry run : endedByTask(day).get(taskId)) {
      assertThat(run.status()).as("%s", run).isEqualTo(LedgerStatus.SUCCEEDED);
      boolean isBefore = run.plannedFor() < day.vanishedAt().toEpochMilli();
      Set<String> workers =
          isBefore ? Set.of("worker-1", "worker-2", "worker-3") : Set.of("worker-1", "worker-3");
      Map<Integer, Set<String>> byPart =
          partsOf(day, run)
              .filter(row -> row.workerId() != null)
              .collect(
                  Collectors.groupingBy(
                      row -> row.key().ordinal(),
                      Collectors.mapping(LedgerEntry::workerId, Collectors.toSet())));
      assertThat(byPart.values())
          .as("workers of the parts of %s", run)
          .containsExactlyInAnyOrderElementsOf(workers.stream().map(Set::of).toList());
      assertThat(partsOf(day, run).filter(row -> row.status().isFinal()))
          .as("ends of parts of %s", run)
          .hasSameSizeAs(workers)
          .allMatch(part -> part.times().finishedAt() <= run.times().finishedAt());
    }
  }

  private static Stream<LedgerEntry> partsOf(Day day, LedgerEntry run) {
    String ofParts = PartKey.taskIdOf(run.id());
    return day.ledger().stream().filter(row -> row.key().taskId().equals(ofParts));
  }

  /** The worker that vanished had failed a minute before: its part did not wait any longer. */
  private static void assertSkippedBeforeItsNextAttempt(Day day, String taskId) {
    assertThat(endedByTask(day).get(taskId).stream().flatMap(run -> partsOf(day, run)))
        .filteredOn(part -> part.status() == LedgerStatus.SKIPPED)
        .singleElement()
        .satisfies(
            part -> {
              assertThat(part.cause()).isEqualTo(Cause.of(CauseCode.WORKER_GONE, "worker-2"));
              assertThat(part.times().dueAt() - part.times().finishedAt())
                  .isGreaterThan(BACK_OFF.toMillis() / 2);
            });
  }

  private static void assertRanOnlyOn(Day day, String taskId, String workerId) {
    assertThat(day.ledger())
        .filteredOn(row -> row.key().taskId().equals(taskId) && row.workerId() != null)
        .isNotEmpty()
        .allMatch(row -> workerId.equals(row.workerId()));
  }

  @Test
  void nothingStartsEarlyAndAVanishedWorkersWorkIsRescued() {
    Day day = simulate(11, Duration.ofHours(1));

    assertThat(day.ledger())
        .filteredOn(row -> row.times().startedAt() != null)
        .isNotEmpty()
        .allSatisfy(
            row -> assertThat(row.times().startedAt()).isGreaterThanOrEqualTo(row.times().dueAt()));
    assertThat(day.executing()).isLessThanOrEqualTo(4);
    assertThat(statuses(day)).contains(LedgerStatus.RETRIED, LedgerStatus.SUCCEEDED);
  }

  @Test
  void equalSeedsGiveEqualLedgers() {
    assertEqualSeedsGiveEqualLedgers(Duration.ofMinutes(20));
  }

  @Test
  @Tag("long")
  void equalSeedsGiveEqualLedgersOfHours() {
    assertEqualSeedsGiveEqualLedgers(Duration.ofHours(2));
  }

  private static void assertEqualSeedsGiveEqualLedgers(Duration length) {
    Day one = simulate(42, length);
    Day same = simulate(42, length);
    Day other = simulate(43, length);

    assertThat(comparable(one)).isEqualTo(comparable(same));
    assertThat(comparable(one)).isNotEqualTo(comparable(other));
  }

  /**
   * A stack trace names lines of this test, which differ from call to call: its first line is kept.
   */
  private static List<String> comparable(Day day) {
    return day.ledger().stream()
        .map(
            row -> {
              String message = row.message();
              return message == null
                  ? row.toString()
                  : row.toString().replace(message, message.lines().findFirst().orElse(""));
            })
        .toList();
  }

  private static Map<String, Integer> countByTrigger(Day day) {
    Map<String, Integer> finals = new HashMap<>();
    for (LedgerEntry row : day.ledger()) {
      if (row.status().isFinal()) {
        TriggerKey key = row.key();
        finals.merge(key.toString(), 1, Integer::sum);
      }
    }
    return finals;
  }

  private static List<Long> finalInstants(Day day, String taskId, Instant from, Instant until) {
    return day.ledger().stream()
        .filter(row -> row.status().isFinal() && row.key().taskId().equals(taskId))
        .map(LedgerEntry::plannedFor)
        .filter(at -> at > from.toEpochMilli() && at <= until.toEpochMilli())
        .distinct()
        .toList();
  }

  private static List<LedgerStatus> statuses(Day day) {
    return day.ledger().stream().map(LedgerEntry::status).distinct().collect(Collectors.toList());
  }
}
