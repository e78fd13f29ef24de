package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.SPEC;
import static io.millrace.jobtracker.store.StoreRows.job;
import static io.millrace.jobtracker.store.StoreRows.nextId;
import static io.millrace.jobtracker.store.StoreRows.params;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.Pause;
import io.millrace.jobtracker.domain.job.RunCounts;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.store.JobStore.ListedJob;
import io.millrace.jobtracker.store.JobStore.LockedJob;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobStoreContractTest extends StoreContract {
  private static final StoredParams LARGE = params("{\"a\":\"" + "ä".repeat(5_000) + "\"}");

  private JobStore store;

  @BeforeEach
  void takeStore() {
    store = stores.jobs();
  }

  private JobDefinition inserted(JobDefinition job) {
    store.insert(job);
    return job;
  }

  private JobDefinition active(String taskId, Long generateAt) {
    return inserted(job(nodeGroup, taskId, 1, JobState.ACTIVE, generateAt, StoredParams.NONE));
  }

  private static JobDefinition edited(JobDefinition job, JobState state, StoredParams params) {
    return new JobDefinition(
        job.id(),
        job.nodeGroup(),
        job.taskId(),
        job.version() + 1,
        state,
        new Schedule.FixedDelay(Duration.ofMinutes(1), null, null),
        SPEC,
        params,
        9,
        2_000,
        8_000,
        null,
        0,
        true);
  }

  private static JobDefinition advanced(JobDefinition job) {
    return new JobDefinition(
        job.id(),
        job.nodeGroup(),
        job.taskId(),
        job.version(),
        job.state(),
        job.schedule(),
        job.spec(),
        job.params(),
        job.priority(),
        job.acceptedAt(),
        600_000,
        300_000L,
        23,
        true);
  }

  @Test
  void remembersSubmissionsOfFormerVersionsForAWhile() {
    long job = StoreRows.nextId();
    for (int version = 1; version <= 3; version++) {
      store.rememberSubmission(job, version, "submission-" + version, 1_000L * version);
    }

    assertThat(store.remembersSubmission(job, "submission-1")).isTrue();
    assertThat(store.remembersSubmission(job, "submission-3")).isTrue();
    assertThat(store.remembersSubmission(job, "SUBMISSION-3")).isFalse();
    assertThat(store.remembersSubmission(StoreRows.nextId(), "submission-3")).isFalse();
    store.rememberSubmission(job, 5_000, "many-versions-later", 3_001);
    assertThat(store.remembersSubmission(job, "submission-1")).isTrue();

    assertThat(store.forgetSubmissions(3_000, 1, 9_000)).isEqualTo(1);
    assertThat(store.remembersSubmission(job, "submission-1")).isFalse();
    assertThat(store.remembersSubmission(job, "submission-2")).isTrue();
    assertThat(store.forgetSubmissions(3_000, 10, 9_000)).isEqualTo(1);
    assertThat(store.forgetSubmissions(3_000, 10, 9_000)).isZero();
    assertThat(store.remembersSubmission(job, "submission-3")).isTrue();
    assertThat(store.remembersSubmission(job, "many-versions-later")).isTrue();
    assertThat(store.forgetSubmissions(3_002, 10, 9_000)).isEqualTo(2);
  }

  @Test
  void submissionsThatATrackerOfAFormerVersionRememberedAgeFromWhenTheyAreSeen() {
    long job = StoreRows.nextId();
    database.execute(
        "INSERT INTO jt_job_submission (job_id, version, submission_id) VALUES (%d, 1, 'old')"
            .formatted(job));

    assertThat(store.forgetSubmissions(8_000, 10, 9_000)).isZero();
    assertThat(store.remembersSubmission(job, "old")).isTrue();
    assertThat(store.forgetSubmissions(9_000, 10, 99_000)).isZero();
    assertThat(store.forgetSubmissions(9_001, 10, 99_000)).isEqualTo(1);
    assertThat(store.remembersSubmission(job, "old")).isFalse();
  }

  @Test
  void jobOfEachKindOfScheduleComesBackAsItWasInserted() {
    Stream.of(
            new Schedule.Cron("0 0/5 * * * ?", ZoneId.of("Asia/Shanghai")),
            new Schedule.Cron("@daily", null),
            new Schedule.Repeat(Duration.ofMillis(1), Instant.ofEpochMilli(5), 10L),
            new Schedule.FixedDelay(Duration.ofDays(400), null, null))
        .forEach(
            schedule -> {
              JobDefinition plain = job(nodeGroup, "task-" + schedule);
              JobDefinition job =
                  new JobDefinition(
                      plain.id(),
                      plain.nodeGroup(),
                      plain.taskId(),
                      3,
                      JobState.PAUSED,
                      schedule,
                      SPEC,
                      LARGE,
                      255,
                      1,
                      2,
                      null,
                      4,
                      true);
              store.insert(job);

              assertThat(store.find(job.id())).contains(job);
              assertThat(store.find(nodeGroup, job.taskId())).contains(job);
            });
  }

  @Test
  void jobThatIsNotThereIsAnswerEmpty() {
    assertThat(store.find(nextId())).isEmpty();
    assertThat(store.find(nodeGroup, "none")).isEmpty();
    assertThat(store.findByTasks(nodeGroup, List.of("none"))).isEmpty();
    assertThat(store.findByTasks(nodeGroup, List.of())).isEmpty();
    assertThat(store.nextGenerateAt(nodeGroup)).isNull();
  }

  @Test
  void taskIdIsUniqueInItsNodeGroupWhateverTheState() {
    inserted(job(nodeGroup, "a", 1, JobState.FINISHED, null, StoredParams.NONE));

    assertThatThrownBy(() -> store.insert(job(nodeGroup, "a")))
        .isInstanceOf(DuplicateKeyException.class)
        .hasMessageContaining(nodeGroup + "/a");
    store.insert(job(newNodeGroup(), "a"));
  }

  @Test
  void findsByTaskIdsLeavingLargeParametersInTheStore() {
    JobDefinition large = inserted(job(nodeGroup, "a", 1, JobState.ACTIVE, 5L, LARGE));
    JobDefinition small = active("b", 5L);

    List<JobDefinition> found = store.findByTasks(nodeGroup, List.of("b", "a", "none"));

    assertThat(found).extracting(JobDefinition::id).containsOnly(large.id(), small.id());
    assertThat(found).filteredOn(job -> job.params().isLeftInStore()).hasSize(1);
  }

  @Test
  void findsActiveJobsWhoseTimeToGenerateHasComeEarliestFirst() {
    JobDefinition late = active("late", 30L);
    JobDefinition early = active("early", 10L);
    active("future", 31L);
    active("never", null);
    inserted(job(nodeGroup, "paused", 1, JobState.PAUSED, 5L, StoredParams.NONE));
    inserted(job(newNodeGroup(), "other", 1, JobState.ACTIVE, 5L, StoredParams.NONE));

    assertThat(store.findToGenerate(nodeGroup, 30, 10)).containsExactly(early, late);
    assertThat(store.findToGenerate(nodeGroup, 30, 1)).containsExactly(early);
    assertThat(store.nextGenerateAt(nodeGroup)).isEqualTo(10);
  }

  @Test
  void replaceWritesEverythingAndOnlyOverTheExpectedVersion() {
    JobDefinition job = active("a", 5L);
    JobDefinition next = edited(job, JobState.PAUSED, LARGE);

    assertThat(store.replace(next, 2)).isFalse();
    assertThat(store.find(job.id())).contains(job);
    assertThat(store.replace(next, 1)).isTrue();
    assertThat(store.find(job.id())).contains(next);
    assertThat(store.replace(next, 1)).isFalse();
  }

  @Test
  void replaceKeepsParametersThatWereLeftInTheStore() {
    JobDefinition job = inserted(job(nodeGroup, "a", 1, JobState.ACTIVE, 5L, LARGE));
    JobDefinition halfRead = store.findByTasks(nodeGroup, List.of("a")).get(0);

    assertThat(store.replace(edited(halfRead, JobState.PAUSED, halfRead.params()), 1)).isTrue();

    assertThat(store.find(job.id())).contains(edited(job, JobState.PAUSED, LARGE));
  }

  @Test
  void advanceStoresProgressOfAnActiveJobOfTheSameVersion() {
    JobDefinition job = active("a", 5L);
    JobDefinition paused = inserted(job(nodeGroup, "b", 1, JobState.PAUSED, 5L, LARGE));

    assertThat(store.advance(advanced(job))).isTrue();
    assertThat(store.find(job.id())).contains(advanced(job));
    assertThat(store.advance(advanced(edited(job, JobState.ACTIVE, LARGE)))).isFalse();
    assertThat(store.advance(advanced(paused))).isFalse();
    assertThat(store.find(paused.id())).contains(paused);
  }

  @Test
  void advanceOfManyStoresTheProgressOfEach() {
    List<JobDefinition> jobs =
        IntStream.range(0, 300).mapToObj(i -> active("task-" + i, 5L)).toList();
    List<JobStore.Advance> advances =
        new ArrayList<>(
            jobs.stream()
                .map(job -> from(job, job.fired(600_000 + job.id(), 2, 9_000 + job.id(), false)))
                .toList());
    Collections.shuffle(advances, new Random(5));

    assertThat(store.advanceAll(advances)).isEqualTo(300);

    advances.forEach(advance -> assertThat(store.find(advance.job().id())).contains(advance.job()));
    assertThat(database.query("SELECT write_seq FROM jt_job WHERE id = " + jobs.get(7).id()))
        .containsExactly("1");
  }

  @Test
  void advanceOfManyMayLeaveNothingToGenerate() {
    JobDefinition one = active("one", 5L);
    JobDefinition two = active("two", 5L);

    assertThat(
            store.advanceAll(
                List.of(
                    from(one, one.fired(one.generatedUntil(), 0, null, true)),
                    from(two, two.fired(two.generatedUntil(), 0, null, true)))))
        .isEqualTo(2);

    assertThat(store.find(one.id())).contains(one.fired(one.generatedUntil(), 0, null, true));
    assertThat(store.advanceAll(List.of())).isZero();
  }

  @Test
  void advanceOfManyCountsThoseThatStillAreAsTheyWereRead() {
    JobDefinition good = active("good", 5L);
    JobDefinition moved = active("moved", 5L);
    JobDefinition edited = active("edited", 5L);
    JobDefinition paused = inserted(job(nodeGroup, "p", 1, JobState.PAUSED, 5L, LARGE));
    JobDefinition gone = job(nodeGroup, "gone");
    store.advance(moved.fired(7_000, 1, 5L, false));
    store.replace(edited(edited, JobState.ACTIVE, StoredParams.NONE), 1);
    List<JobDefinition> before =
        Stream.of(moved, edited, paused).map(job -> store.find(job.id()).get()).toList();

    List<JobStore.Advance> advances =
        Stream.of(good, moved, edited, paused, gone).map(job -> from(job, advanced(job))).toList();

    assertThat(store.advanceAll(advances)).isEqualTo(1);
    assertThat(store.find(good.id())).contains(advanced(good));
    before.forEach(job -> assertThat(store.find(job.id())).contains(job));
  }

  private static JobStore.Advance from(JobDefinition job, JobDefinition advanced) {
    return new JobStore.Advance(job.generatedUntil(), advanced);
  }

  @Test
  void advanceOfManyDoesNotWaitForJobsThatAnotherHasLocked() {
    JobDefinition held = active("held", 5L);
    JobDefinition free = active("free", 5L);
    Stores other = database.anotherTracker();
    try (Racer racer = new Racer()) {
      stores
          .transactions()
          .run(
              "hold a job",
              () -> {
                store.lock(List.of(held.id()));
                assertThat(
                        Racer.resultOf(
                            racer.start(
                                () ->
                                    other.jobs().advanceAll(List.of(from(free, advanced(free)))))))
                    .isEqualTo(1);
              });
    }
  }

  /** Two trackers generate from one mark: the triggers are written once. */
  @Test
  void ofTwoAdvancesFromOneMarkOneSucceeds() {
    Stores other = database.anotherTracker();
    try (Racer racer = new Racer()) {
      for (int round = 0; round < 30; round++) {
        List<JobDefinition> jobs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          jobs.add(active("task-" + round + "-" + i, 5L));
        }
        List<JobStore.Advance> advances =
            jobs.stream().map(job -> from(job, advanced(job))).toList();

        assertThat(racer.together(List.of(advancing(stores, advances), advancing(other, advances))))
            .as("round %d", round)
            .containsExactlyInAnyOrder(3, 0);
      }
    }
  }

  /** Whoever draws a trigger of the job, or ends one, writes its row and changes no mark. */
  @Test
  void countOfTurnsMeanwhileKeepsNobodyFromAdvancing() {
    Stores other = database.anotherTracker();
    try (Racer racer = new Racer()) {
      for (int round = 0; round < 30; round++) {
        JobDefinition job = active("task-" + round, 5L);

        assertThat(
                racer.together(
                    List.of(
                        advancing(stores, List.of(from(job, advanced(job)))),
                        countingTurns(other, job))))
            .as("round %d", round)
            .containsExactly(1, 1);
        assertThat(store.find(job.id())).contains(advanced(job));
      }
    }
  }

  private static Callable<Integer> advancing(Stores by, List<JobStore.Advance> advances) {
    return () -> by.jobs().advanceAll(advances);
  }

  private static Callable<Integer> countingTurns(Stores by, JobDefinition job) {
    return () ->
        by.transactions()
            .inTransaction(
                "count turns",
                () -> {
                  int locked = by.jobs().lock(List.of(job.id())).size();
                  by.jobs().setTurns(job.id(), 1, 2);
                  return locked;
                });
  }

  /** Locks jobs, and returns the ids of those that are active in the expected version. */
  private static Set<Long> lockActive(JobStore store, Map<Long, Integer> versionById) {
    return store.lock(versionById.keySet()).values().stream()
        .filter(job -> job.state() == JobState.ACTIVE)
        .filter(job -> versionById.getOrDefault(job.id(), 0) == job.version())
        .map(LockedJob::id)
        .collect(Collectors.toSet());
  }

  @Test
  void locksJobsThatAreActiveInTheExpectedVersion() {
    JobDefinition one = active("one", 5L);
    JobDefinition two = active("two", 5L);
    JobDefinition edited = active("edited", 5L);
    store.replace(edited(edited, JobState.ACTIVE, StoredParams.NONE), 1);
    JobDefinition paused = inserted(job(nodeGroup, "p", 1, JobState.PAUSED, 5L, LARGE));
    Map<Long, Integer> versions = new HashMap<>();
    List.of(one, two, edited, paused).forEach(job -> versions.put(job.id(), 1));
    versions.put(nextId(), 1);

    assertThat(lockActive(store, versions)).containsExactlyInAnyOrder(one.id(), two.id());
    assertThat(lockActive(store, Map.of())).isEmpty();
  }

  @Test
  void lockTellsHowTheTurnsOfAJobStand() {
    JobDefinition job = active("one", 5L);
    JobDefinition paused = inserted(job(nodeGroup, "p", 3, JobState.PAUSED, 5L, LARGE));
    store.setTurns(job.id(), 1, 7);

    assertThat(store.lock(List.of(job.id(), paused.id(), nextId())))
        .containsOnly(
            Map.entry(job.id(), new LockedJob(job.id(), 1, JobState.ACTIVE, 1, 7)),
            Map.entry(paused.id(), new LockedJob(paused.id(), 3, JobState.PAUSED, 0, 0)));
    assertThat(store.lock(List.of())).isEmpty();
  }

  @Test
  void extraTriggersAreNumberedFromOne() {
    JobDefinition job = active("one", 5L);

    assertThat(store.nextExtra(job.id())).isEqualTo(1);
    assertThat(store.nextExtra(job.id())).isEqualTo(2);
    assertThat(store.nextExtra(active("two", 5L).id())).isEqualTo(1);
  }

  @Test
  void pauseIsKeptAndGoneOnceResumed() {
    JobDefinition job = active("one", 5L);
    JobDefinition paused = job.paused(new Pause("shop/ä-1", 9_000, "maintenance"));

    assertThat(store.replace(paused, 1)).isTrue();
    assertThat(store.find(job.id())).contains(paused);
    assertThat(store.replace(paused.resumed(10_000), 2)).isTrue();
    assertThat(store.find(job.id())).contains(paused.resumed(10_000));
  }

  @Test
  void everySuccessfulLockIsARealWrite() {
    JobDefinition job = active("a", 5L);

    lockActive(store, Map.of(job.id(), 1));
    store.advance(job);
    store.replace(job, 1);

    assertThat(database.query("SELECT write_seq FROM jt_job WHERE id = " + job.id()))
        .containsExactly("3");
  }

  @Test
  void lockDoesNotWaitForJobsThatAnotherHasLocked() {
    JobDefinition held = active("held", 5L);
    JobDefinition free = active("free", 5L);
    Stores other = database.anotherTracker();
    try (Racer racer = new Racer()) {
      stores
          .transactions()
          .run(
              "hold a job",
              () -> {
                lockActive(store, Map.of(held.id(), 1));
                assertThat(
                        Racer.resultOf(
                            racer.start(() -> lockActive(other.jobs(), Map.of(free.id(), 1)))))
                    .containsExactly(free.id());
              });
    }
  }

  /** D2: after an edit commits, nothing of the old version does. */
  @Test
  void lockAndEditOfOneJobNeverBothSucceed() {
    Stores other = database.anotherTracker();
    try (Racer racer = new Racer()) {
      for (int round = 0; round < 30; round++) {
        JobDefinition job = active("task-" + round, 5L);
        List<Boolean> outcome =
            racer.together(List.of(insertingUnderLock(job), editingIfNothingWaits(other, job)));

        assertThat(outcome).as("round %d", round).containsOnlyOnce(true);
      }
    }
  }

  @Test
  void advanceOfManyAndEditOfOneJobNeverBothSucceed() {
    Stores other = database.anotherTracker();
    try (Racer racer = new Racer()) {
      for (int round = 0; round < 30; round++) {
        JobDefinition job = active("task-" + round, 5L);
        List<Boolean> outcome =
            racer.together(List.of(insertingAfterAdvance(job), editingIfNothingWaits(other, job)));

        assertThat(outcome).as("round %d", round).containsOnlyOnce(true);
      }
    }
  }

  private Callable<Boolean> insertingAfterAdvance(JobDefinition job) {
    return () ->
        stores
            .transactions()
            .inTransaction(
                "insert after advance",
                () -> {
                  if (store.advanceAll(List.of(from(job, advanced(job)))) == 0) {
                    return false;
                  }
                  stores.waiting().insert(nodeGroup, List.of(job.triggerFor(nextId(), 9, null, 8)));
                  return true;
                });
  }

  private Callable<Boolean> insertingUnderLock(JobDefinition job) {
    return () ->
        stores
            .transactions()
            .inTransaction(
                "insert under lock",
                () -> {
                  if (lockActive(store, Map.of(job.id(), 1)).isEmpty()) {
                    return false;
                  }
                  stores.waiting().insert(nodeGroup, List.of(job.triggerFor(nextId(), 9, null, 8)));
                  return true;
                });
  }

  private Callable<Boolean> editingIfNothingWaits(Stores other, JobDefinition job) {
    JobDefinition next = edited(job, JobState.CANCELLED, StoredParams.NONE);
    return () ->
        other
            .transactions()
            .inTransaction(
                "edit",
                () ->
                    other.jobs().replace(next, 1)
                        && other.waiting().findByTask(nodeGroup, job.taskId()).isEmpty());
  }

  @Test
  void turnsAreReadAsTheyWereSet() {
    JobDefinition job = active("a", null);
    assertThat(store.turns(job.id())).isEqualTo(new RunCounts(0, 0));

    store.setTurns(job.id(), 1, 7);

    assertThat(store.turns(job.id())).isEqualTo(new RunCounts(1, 7));
    assertThat(store.turns(nextId())).as("of no job").isEqualTo(new RunCounts(0, 0));
  }

  @Test
  void turnsOfManyJobsAreSetTogether() {
    List<JobDefinition> jobs =
        IntStream.range(0, 600).mapToObj(i -> active("turns-" + i, null)).toList();
    JobDefinition other = active("other", null);
    Map<Long, RunCounts> turns = new HashMap<>();
    for (int i = 0; i < jobs.size(); i++) {
      turns.put(jobs.get(i).id(), new RunCounts(1, i % 3));
    }

    store.setTurns(turns);
    store.setTurns(Map.of());

    turns.forEach((id, expected) -> assertThat(store.turns(id)).isEqualTo(expected));
    assertThat(store.turns(other.id())).isEqualTo(new RunCounts(0, 0));
  }

  @Test
  void taskIdsNearOneAreThoseOfLiveJobsOnBothSides() {
    List.of("b", "c", "d", "e", "f").forEach(taskId -> active(taskId, null));
    inserted(job(nodeGroup, "dd", 1, JobState.CANCELLED, null, StoredParams.NONE));
    inserted(job(newNodeGroup(), "da", 1, JobState.ACTIVE, null, StoredParams.NONE));

    assertThat(store.liveTasksNear(nodeGroup, "d", 100)).containsExactly("b", "c", "d", "e", "f");
    assertThat(store.liveTasksNear(nodeGroup, "d", 2))
        .as("the ended job is one of the two rows upwards")
        .containsExactly("b", "c", "d");
  }

  @Test
  void groupsWithATaskAreThoseAskedAboutWithALiveJobOfIt() {
    String other = newNodeGroup();
    String ended = newNodeGroup();
    String notAsked = newNodeGroup();
    active("shared", null);
    inserted(job(other, "shared", 1, JobState.PAUSED, null, StoredParams.NONE));
    inserted(job(ended, "shared", 1, JobState.FINISHED, null, StoredParams.NONE));
    inserted(job(notAsked, "shared", 1, JobState.ACTIVE, null, StoredParams.NONE));

    assertThat(store.groupsWithTask(List.of(nodeGroup, other, ended, "none"), "shared"))
        .containsExactlyInAnyOrder(nodeGroup, other);
    assertThat(store.groupsWithTask(List.of(), "shared")).isEmpty();
  }

  @Test
  void listsJobsOfEveryStateInOrderOfTaskIdPageByPage() {
    JobDefinition b = active("b", 5L);
    JobDefinition a = inserted(job(nodeGroup, "a", 3, JobState.CANCELLED, null, LARGE));
    JobDefinition upper = active("B", null);
    inserted(job(newNodeGroup(), "a"));
    store.setTurns(b.id(), 2, 3);
    ListedJob listedA = new ListedJob(a.id(), "a", 3, JobState.CANCELLED, 0, 0);
    ListedJob listedB = new ListedJob(b.id(), "b", 1, JobState.ACTIVE, 2, 3);
    ListedJob listedUpper = new ListedJob(upper.id(), "B", 1, JobState.ACTIVE, 0, 0);

    assertThat(store.list(nodeGroup, "", 2)).containsExactly(listedUpper, listedA);
    assertThat(store.list(nodeGroup, "a", 2)).containsExactly(listedB);
    assertThat(store.list(nodeGroup, "b", 2)).isEmpty();
    assertThat(store.list(List.of(b.id(), a.id(), nextId())))
        .containsExactlyInAnyOrder(listedA, listedB);
    assertThat(store.list(List.of())).isEmpty();
  }
}
