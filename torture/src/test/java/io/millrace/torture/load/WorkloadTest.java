package io.millrace.torture.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.OverlapPolicy;
import io.millrace.torture.load.Step.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkloadTest {
  private static final Instant BEGIN = Instant.parse("2026-11-21T10:00:00Z");
  private static final int SECONDS = 60;

  @Test
  void equalSeedsGiveEqualWorkloads() {
    assertThat(workload(7, 100).steps())
        .isEqualTo(workload(7, 100).steps())
        .isNotEqualTo(workload(8, 100).steps());
  }

  @Test
  void quarterOfTheLoadHasTheSameRecurringJobsFourTimesRarer() {
    Workload usual = workload(7, 100);
    Workload quarter = workload(7, 25);

    assertThat(oneShots(quarter)).isEqualTo(oneShots(usual) / 4);
    assertThat(quarter.jobs().keySet()).containsAll(lasting(usual).keySet());
    lasting(usual)
        .forEach(
            (key, job) ->
                assertThat(quarter.jobs().get(key).timing().interval())
                    .as(key)
                    .isGreaterThanOrEqualTo(Math.min(60_000, 4 * job.timing().interval())));
  }

  private static Workload workload(long seed, int percent) {
    return Workload.of(new LoadPlan(seed, SECONDS, percent), BEGIN);
  }

  private static long oneShots(Workload workload) {
    return workload.jobs().values().stream().filter(job -> !job.timing().isRecurring()).count();
  }

  private static Map<String, LoadJob> lasting(Workload workload) {
    Map<String, LoadJob> jobs = new HashMap<>(workload.jobs());
    jobs.values().removeIf(job -> !job.timing().isRecurring());
    jobs.keySet().removeIf(key -> key.contains("/short-"));
    return jobs;
  }

  @Test
  void nothingIsPlannedAfterTheEnd() {
    long end = BEGIN.plusSeconds(SECONDS).toEpochMilli();

    assertThat(workload(7, 100).steps())
        .allSatisfy(
            step -> {
              Timing timing = step.job().timing();
              assertThat(step.at().toSeconds()).isLessThan(SECONDS);
              assertThat(timing.isRecurring() ? timing.end() : timing.start())
                  .isLessThanOrEqualTo(end);
            });
  }

  @Test
  void clientsShareTheStepsAndNoneSharesAJob() {
    Workload workload = workload(7, 100);
    Map<String, Integer> clientOfJob = new HashMap<>();
    List<Step> all = new ArrayList<>();
    for (int client = 1; client <= 3; client++) {
      List<Step> steps = workload.stepsOf(client, 3);
      all.addAll(steps);
      for (Step step : steps) {
        assertThat(clientOfJob.putIfAbsent(step.job().key(), client)).isIn(null, client);
      }
    }

    assertThat(all).containsExactlyInAnyOrderElementsOf(workload.steps());
  }

  @Test
  void everyJobIsSubmittedBeforeItIsChanged() {
    Map<String, Kind> first = new HashMap<>();
    workload(7, 100).steps().forEach(step -> first.putIfAbsent(step.job().key(), step.kind()));

    assertThat(first.values()).containsOnly(Kind.SUBMIT);
  }

  @Test
  void everyPauseIsResumed() {
    Map<String, Integer> paused = new HashMap<>();
    workload(7, 100)
        .steps()
        .forEach(
            step -> {
              int change = step.kind() == Kind.PAUSE ? 1 : step.kind() == Kind.RESUME ? -1 : 0;
              paused.merge(step.job().key(), change, Integer::sum);
            });

    assertThat(paused.values()).containsOnly(0);
  }

  @Test
  void jobsOfManyKindsRunAStep() {
    assertThat(workload(7, 100).jobs().values())
        .filteredOn(job -> job.behaviour() == Behaviour.CHARGE_ONCE)
        .extracting(job -> job.timing().kind())
        .contains(Timing.Kind.NOW, Timing.Kind.CRON, Timing.Kind.FIXED_DELAY);
    assertThat(workload(7, 100).jobs().values())
        .filteredOn(job -> job.behaviour() == Behaviour.CHARGE_ONCE)
        .extracting(job -> job.overlap().kind())
        .contains(OverlapPolicy.Kind.SKIP);
  }

  /** Only these are replayed, and what is replayed must not have been cancelled before. */
  @Test
  void jobsThatDieAfterAStepAreNamedSoAndNotChanged() {
    assertThat(workload(7, 100).steps())
        .filteredOn(step -> step.job().behaviour() == Behaviour.CHARGE_AND_DIE)
        .allSatisfy(
            step -> {
              assertThat(step.kind()).isEqualTo(Kind.SUBMIT);
              assertThat(step.job().taskId()).startsWith(LoadJob.REPLAYED);
            })
        .extracting(step -> step.job().timing().kind())
        .contains(
            Timing.Kind.NOW,
            Timing.Kind.AT,
            Timing.Kind.CRON,
            Timing.Kind.REPEAT,
            Timing.Kind.FIXED_DELAY);
  }

  @Test
  void someTaskIdsAreUsedAgain() {
    Map<String, Integer> submits = new HashMap<>();
    workload(7, 100).steps().stream()
        .filter(step -> step.kind() == Kind.SUBMIT)
        .forEach(step -> submits.merge(step.job().taskId(), 1, Integer::sum));

    assertThat(submits)
        .hasEntrySatisfying("again-0", count -> assertThat(count).isEqualTo(2))
        .hasEntrySatisfying("dies-again-16", count -> assertThat(count).isEqualTo(2));
  }

  @Test
  void jobsOfAllKindsCanBeBuilt() {
    assertThat(workload(7, 100).jobs().values())
        .allSatisfy(
            job -> {
              assertThat(job.toJob(false).schedule().isRecurring())
                  .isEqualTo(job.timing().isRecurring());
              assertThat(job.toJob(false).isChained()).isEqualTo(job.timing().isChained());
            })
        .extracting(job -> job.timing().kind())
        .contains(Timing.Kind.values());
  }
}
