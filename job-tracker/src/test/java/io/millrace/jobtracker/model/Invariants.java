package io.millrace.jobtracker.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.store.JobStore.LockedJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What must hold after every step, as the rows of the store say it. */
final class Invariants {
  private static final String GROUP = HandDrivenTracker.GROUP;

  private final World world;
  private final Map<TriggerKey, List<String>> places = new HashMap<>();
  private int oneShots;

  private Invariants(World world) {
    this.world = world;
  }

  static void check(World world) {
    new Invariants(world).check();
  }

  private void check() {
    List<LedgerEntry> ledger = world.stores.ledger().readAfter(Long.MIN_VALUE, 1_000_000);
    for (String taskId : World.TASKS) {
      List<WaitingTrigger> waiting = world.stores.waiting().findByTask(GROUP, taskId);
      List<Execution> executing = world.stores.executing().findByTasks(GROUP, List.of(taskId));
      waiting.forEach(row -> isAt(row.key(), "waiting"));
      executing.forEach(row -> isAt(row.key(), "executing"));
      ledger.stream()
          .filter(row -> row.key().taskId().equals(taskId) && row.status().isFinal())
          .forEach(this::ended);
      world.stores.jobs().find(GROUP, taskId).ifPresent(job -> checkJob(job, waiting, executing));
      world.extras.getOrDefault(taskId, List.of()).forEach(this::isAtOnePlace);
    }
    assertThat(oneShots)
        .as("accepted one-shots, each in one place")
        .isEqualTo(world.acceptedOneShots);
    places.forEach(
        (key, found) -> {
          if (key.plannedAt() != 0) {
            assertThat(found).as("places of %s", key).hasSize(1);
          }
        });
  }

  private void isAt(TriggerKey key, String place) {
    if (key.plannedAt() == 0) {
      oneShots++;
    }
    places.computeIfAbsent(key, k -> new ArrayList<>()).add(place);
  }

  /** One row may stand for a run of fire times: then for every one of them. */
  private void ended(LedgerEntry row) {
    if (row.instants() == 1 || row.key().plannedAt() == 0) {
      isAt(row.key(), row.status() + " (" + row.cause() + ")");
      return;
    }
    ExpectedJob job = world.expectedJob(row.key().taskId());
    List<Long> instants = job.between(row.jobVersion(), row.plannedFor() - 1, row.plannedTo());
    assertThat(instants).as("fire times that %s stands for", row).hasSize((int) row.instants());
    instants.forEach(
        at -> isAt(TriggerKey.planned(row.key().taskId(), at), "run of " + row.cause()));
  }

  private void isAtOnePlace(TriggerKey key) {
    assertThat(places.get(key)).as("places of %s", key).hasSize(1);
  }

  private void checkJob(
      JobDefinition job, List<WaitingTrigger> waiting, List<Execution> executing) {
    ExpectedJob expected = world.expectedJob(job.taskId());
    Set<Long> promised = expected.promised(job.generatedUntil());
    for (long at : promised) {
      assertThat(places)
          .as("a promised fire time of %s", job)
          .containsKey(TriggerKey.planned(job.taskId(), at));
    }
    if (!expected.isChained(job.version())) {
      List<Long> waitingFor =
          waiting.stream()
              .filter(row -> row.isOfRecurringJob() && !row.key().isExtra())
              .map(row -> row.key().plannedAt())
              .toList();
      assertThat(promised).as("what waits was promised: %s", job).containsAll(waitingFor);
    }
    checkTurns(job, waiting, executing);
    checkChain(job, waiting, executing);
    if (!job.state().isLive()) {
      assertThat(waiting).filteredOn(WaitingTrigger::isOfRecurringJob).as("of %s", job).isEmpty();
    }
  }

  private void checkTurns(
      JobDefinition job, List<WaitingTrigger> waiting, List<Execution> executing) {
    LockedJob turns =
        world
            .stores
            .transactions()
            .inTransaction("look", () -> world.stores.jobs().lock(List.of(job.id())).get(job.id()));
    long counted = executing.stream().filter(Execution::counted).count();
    long begun = waiting.stream().filter(row -> row.isOfRecurringJob() && row.begun()).count();
    long held = waiting.stream().filter(row -> row.isOfRecurringJob() && row.isHeld()).count();
    boolean exclusive = job.spec().overlapPolicy().isExclusive();
    assertThat(turns.running()).as("running of %s", job).isEqualTo(exclusive ? counted + begun : 0);
    assertThat(turns.queued()).as("queued of %s", job).isEqualTo(held);
    if (exclusive) {
      long ofThisVersion =
          executing.stream().filter(row -> row.jobVersion() == job.version()).count() + begun;
      assertThat(ofThisVersion).as("runs of %s", job).isLessThanOrEqualTo(1);
      assertThat(held == 0 || turns.running() > 0).as("turn of %s passed on", job).isTrue();
    } else {
      assertThat(held + counted).as("waits for no turn: %s", job).isZero();
    }
  }

  private void checkChain(
      JobDefinition job, List<WaitingTrigger> waiting, List<Execution> executing) {
    if (!job.spec().chained() || job.state() == JobState.CANCELLED) {
      return;
    }
    List<TriggerKey> live =
        Stream.concat(
                waiting.stream().filter(WaitingTrigger::isOfRecurringJob).map(WaitingTrigger::key),
                executing.stream().filter(row -> row.spec().chained()).map(Execution::key))
            .filter(key -> !key.isExtra())
            .toList();
    assertThat(new TreeSet<>(live.stream().map(TriggerKey::plannedAt).collect(Collectors.toSet())))
        .as("chain of %s", job)
        .hasSize(live.size());
    if (job.state() == JobState.ACTIVE && !job.exhausted()) {
      assertThat(live).as("the one live trigger of %s", job).hasSize(1);
    } else {
      assertThat(live.size()).as("live triggers of %s", job).isLessThanOrEqualTo(1);
    }
  }
}
