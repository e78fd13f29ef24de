package io.millrace.jobtracker.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ChangeResult;
import io.millrace.api.ChangeStatus;
import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.RunNowResult;
import io.millrace.api.SubmitResult;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.store.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Trackers, workers and a store that really work, driven step by step beside the model. */
final class World {
  static final List<String> TASKS = List.of("a", "b", "c");
  private static final String GROUP = HandDrivenTracker.GROUP;
  private static final Outcome[] OUTCOMES =
      Arrays.stream(Outcome.values()).filter(o -> o != Outcome.UNKNOWN).toArray(Outcome[]::new);

  final Stores stores;
  final HandTime time = new HandTime();
  final Map<String, ExpectedJob> expected = new HashMap<>();

  /** Accepted runs beside the schedule, one-shots included: each has one disposition in the end. */
  final Map<String, List<TriggerKey>> extras = new HashMap<>();

  int acceptedOneShots;
  private HandDrivenTracker tracker;
  private @Nullable HandDrivenTracker zombie;
  private int trackers;
  private int submissions;
  private final List<HandDrivenWorker> workers = new ArrayList<>();
  private final List<List<Assignment>> held = new ArrayList<>();

  World(Stores stores) {
    this.stores = stores;
    this.tracker = new HandDrivenTracker(++trackers, stores, time);
    for (String name : List.of("worker-1", "worker-2")) {
      workers.add(tracker.worker(name));
      held.add(new ArrayList<>());
    }
  }

  void take(Step step) {
    String taskId = TASKS.get(step.task());
    int worker = step.task() % workers.size();
    switch (step.kind()) {
      case SUBMIT -> submit(SampleJobs.of(taskId, step.choice()).build());
      case REPLACE -> submit(SampleJobs.of(taskId, step.choice()).replaceExisting(true).build());
      case PAUSE -> pause(taskId);
      case RESUME -> resume(taskId);
      case CANCEL -> cancel(taskId);
      case RUN_NOW -> runNow(taskId);
      case GENERATE -> tracker.generate();
      case TAKE -> take(workers.get(worker), held.get(worker), 1 + step.choice() % 3);
      case COMPLETE -> complete(worker, step.choice());
      case BEAT -> workers.get(worker).beat();
      case PASS -> pass(step.choice());
      case RESCUE -> tracker.recoverFor(HandDrivenTracker.WORKER_LEASE.plusSeconds(2));
      case RESTART -> restart();
      case ZOMBIE_TAKE -> zombieTakes(worker);
    }
  }

  private void submit(Job job) {
    Optional<JobDefinition> before = stores.jobs().find(GROUP, job.taskId());
    SubmitResult result = tracker.submit("submission-" + ++submissions, job);
    assertThat(result.reason()).as("%s", result).isNull();
    if (!result.isStored()) {
      return;
    }
    assertThat(job.replaceExisting() || before.isEmpty() || isOver(before.get()))
        .as("a living job is replaced only if that was asked for")
        .isTrue();
    if (!job.schedule().isRecurring()) {
      acceptedOneShots++;
      before
          .filter(was -> was.state().isLive())
          .ifPresent(was -> expectedJob(job.taskId()).cancelled(was, time.millis()));
      return;
    }
    expectedJob(job.taskId())
        .accepted(definition(job.taskId()), before.orElse(null), time.millis());
  }

  /** Its state may say so only a little later. */
  private static boolean isOver(JobDefinition job) {
    return !job.state().isLive() || job.exhausted();
  }

  private void pause(String taskId) {
    JobState before = stateOf(taskId);
    ChangeResult result = tracker.pause(taskId, "because");
    if (result.status() == ChangeStatus.CHANGED) {
      assertThat(before).isEqualTo(JobState.ACTIVE);
      assertThat(definition(taskId).state()).isEqualTo(JobState.PAUSED);
      expectedJob(taskId).paused(definition(taskId), time.millis());
    } else {
      assertThat(stateOf(taskId)).as("%s", result).isEqualTo(before);
    }
  }

  private void resume(String taskId) {
    Optional<JobDefinition> before = stores.jobs().find(GROUP, taskId);
    ChangeResult result = tracker.resume(taskId);
    if (result.status() == ChangeStatus.CHANGED) {
      assertThat(before.orElseThrow().state()).isEqualTo(JobState.PAUSED);
      long pausedAt = before.get().pause().at();
      expectedJob(taskId).resumed(definition(taskId), pausedAt);
    } else {
      assertThat(stateOf(taskId)).isNotEqualTo(JobState.PAUSED);
    }
  }

  private void cancel(String taskId) {
    Optional<JobDefinition> before = stores.jobs().find(GROUP, taskId);
    tracker.cancel(taskId);
    if (before.isPresent() && before.get().state().isLive()) {
      assertThat(stateOf(taskId)).isEqualTo(JobState.CANCELLED);
      expectedJob(taskId).cancelled(before.get(), time.millis());
    }
  }

  private void runNow(String taskId) {
    JobState before = stateOf(taskId);
    RunNowResult result = tracker.runNow("run-" + ++submissions, taskId, null);
    if (result.isAccepted()) {
      assertThat(before).isIn(JobState.ACTIVE, JobState.PAUSED);
      long at = result.plannedFor().toEpochMilli();
      extras
          .computeIfAbsent(taskId, id -> new ArrayList<>())
          .add(TriggerKey.extra(taskId, at, result.ordinal()));
    }
  }

  private void take(HandDrivenWorker worker, List<Assignment> into, int slots) {
    long before = time.millis();
    List<Assignment> taken = worker.take(slots);
    for (Assignment assignment : taken) {
      assertThat(assignment.plannedFor()).isBeforeOrEqualTo(time.now());
      assertThat(assignment.dueAt()).isBeforeOrEqualTo(time.now());
      Execution execution = stores.executing().find(List.of(assignment.executionId())).get(0);
      assertThat(execution.claimedAt()).isBetween(before, time.millis());
      if (execution.isOfRecurringJob()) {
        JobDefinition job = stores.jobs().find(execution.jobId()).orElseThrow();
        assertThat(execution.jobVersion())
            .as("claimed of the version that holds: %s of %s", execution.key(), job)
            .isEqualTo(job.version());
        assertThat(job.state())
            .isIn(
                execution.key().isExtra()
                    ? List.of(JobState.ACTIVE, JobState.PAUSED)
                    : List.of(JobState.ACTIVE));
      }
    }
    into.addAll(taken);
  }

  private void complete(int worker, int choice) {
    List<Assignment> mine = held.get(worker);
    if (mine.isEmpty()) {
      return;
    }
    Assignment assignment = mine.remove(choice % mine.size());
    boolean lives = !stores.executing().find(List.of(assignment.executionId())).isEmpty();
    Outcome outcome = OUTCOMES[choice / 7 % OUTCOMES.length];
    CompletionStatus status =
        outcome == Outcome.LATER
            ? workers.get(worker).later(assignment, Duration.ofSeconds(choice % 9))
            : workers.get(worker).report(assignment, outcome);
    assertThat(status).isEqualTo(lives ? CompletionStatus.ACCEPTED : CompletionStatus.REFUSED);
  }

  /** Mostly seconds, now and then minutes, seldom hours. */
  private void pass(int choice) {
    Duration duration =
        switch (choice % 10) {
          case 8 -> Duration.ofSeconds(50 + choice % 97);
          case 9 -> Duration.ofMinutes(3 + choice % 140);
          default -> Duration.ofMillis(choice * 137L % 9_000);
        };
    time.pass(duration);
  }

  /** Another tracker takes over; the one before does not know it yet. */
  private void restart() {
    zombie = tracker;
    tracker = new HandDrivenTracker(++trackers % 1_000, stores, time);
    tracker.adopt();
    workers.replaceAll(worker -> worker.movedTo(tracker));
  }

  private void zombieTakes(int worker) {
    if (zombie != null) {
      HandDrivenWorker lost = workers.get(worker).movedTo(zombie);
      take(lost, held.get(worker), 1);
      workers.set(worker, lost.movedTo(tracker));
    }
  }

  /** Everything that can be done is done, until nothing is left of it. */
  void settleDown() {
    for (int round = 0; round < 3; round++) {
      tracker.generate();
      for (int worker = 0; worker < workers.size(); worker++) {
        take(workers.get(worker), held.get(worker), 50);
        while (!held.get(worker).isEmpty()) {
          complete(worker, 7 * Arrays.asList(OUTCOMES).indexOf(Outcome.SUCCESS));
        }
      }
    }
  }

  ExpectedJob expectedJob(String taskId) {
    return expected.computeIfAbsent(taskId, id -> new ExpectedJob());
  }

  private JobDefinition definition(String taskId) {
    return stores.jobs().find(GROUP, taskId).orElseThrow();
  }

  private @Nullable JobState stateOf(String taskId) {
    return stores.jobs().find(GROUP, taskId).map(JobDefinition::state).orElse(null);
  }
}
