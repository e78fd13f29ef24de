package io.millrace.jobtracker.group.preload;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.MISFIRE_THRESHOLD;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.Outcome;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.schedule.FireTimes;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What runs and what is skipped after the tracker was down, or every worker was busy. */
class MisfireTest extends ServiceTest {
  private static final long START = HandTime.START.toEpochMilli();
  private static final Duration MINUTE = Duration.ofMinutes(1);

  static Stream<Arguments> outages() {
    List<MisfirePolicy> policies =
        List.of(
            MisfirePolicy.none(),
            MisfirePolicy.latest(),
            MisfirePolicy.latest().within(Duration.ofSeconds(70)),
            MisfirePolicy.all(),
            MisfirePolicy.all().atMost(5),
            MisfirePolicy.all().within(Duration.ofMinutes(3)));
    return Stream.of(
            Duration.ofMinutes(10).plusSeconds(30),
            Duration.ofMinutes(35).plusSeconds(30),
            Duration.ofHours(3).plusSeconds(30),
            Duration.ofDays(2).plusSeconds(30))
        .flatMap(outage -> policies.stream().map(policy -> Arguments.of(outage, policy)));
  }

  @ParameterizedTest
  @MethodSource("outages")
  void afterTheTrackerWasDownThePolicySaysWhatRuns(Duration outage, MisfirePolicy policy) {
    tracker.submit(
        job("repeat").every(MINUTE).misfire(policy).build(),
        job("cron").cron("0 * * * * ?", ZoneOffset.UTC).misfire(policy).build());
    time.pass(outage);
    HandDrivenTracker next = anotherTracker();
    next.generate();

    runEverythingDue(next, next.worker("worker-1"));

    assertDecided("repeat", policy);
    assertDecided("cron", policy);
  }

  @ParameterizedTest
  @MethodSource("outages")
  void loadThatComesBeforeTheGeneratorMakesNoDifference(Duration outage, MisfirePolicy policy) {
    tracker.submit(job("repeat").every(MINUTE).misfire(policy).build());
    time.pass(outage);
    HandDrivenTracker next = anotherTracker();
    HandDrivenWorker worker = next.worker("worker-1");
    runEverythingDue(next, worker);
    next.generate();
    runEverythingDue(next, worker);

    assertDecided("repeat", policy);
  }

  static Stream<Arguments> documented() {
    return Stream.of(
        Arguments.of(MisfirePolicy.none(), "05:00", 17),
        Arguments.of(MisfirePolicy.latest(), "05:00", 17),
        Arguments.of(MisfirePolicy.all(), "04:10 04:20 04:30 04:40 04:50 05:00", 12),
        Arguments.of(MisfirePolicy.all().atMost(2), "04:40 04:50 05:00", 15));
  }

  /** The worked example of docs/scheduling.md. */
  @ParameterizedTest
  @MethodSource("documented")
  void exampleOfTheDocumentationIsTrue(MisfirePolicy policy, String runs, long skipped) {
    time.pass(Duration.ofHours(16).plusMinutes(5));
    tracker.submit(job("report").cron("0 0/10 * * * ?", ZoneOffset.UTC).misfire(policy).build());
    time.pass(Duration.ofMinutes(175).plusSeconds(30));
    HandDrivenTracker next = anotherTracker();
    next.generate();

    List<Assignment> drawn = drawAndRun(next.worker("worker-1"));

    assertThat(drawn.stream().map(a -> a.plannedFor().toString().substring(11, 16)).sorted())
        .containsExactly(runs.split(" "));
    assertThat(skippedInstants("report")).isEqualTo(skipped);
  }

  static Stream<Arguments> documentedLater() {
    return Stream.of(
        Arguments.of(MisfirePolicy.none(), "", 18),
        Arguments.of(MisfirePolicy.latest(), "05:00", 17),
        Arguments.of(MisfirePolicy.latest().within(Duration.ofMinutes(1)), "", 18),
        Arguments.of(MisfirePolicy.all().atMost(2), "04:50 05:00", 16));
  }

  /** The same, with the tracker back a minute later. */
  @ParameterizedTest
  @MethodSource("documentedLater")
  void secondExampleOfTheDocumentationIsTrue(MisfirePolicy policy, String runs, long skipped) {
    time.pass(Duration.ofHours(16).plusMinutes(5));
    tracker.submit(job("report").cron("0 0/10 * * * ?", ZoneOffset.UTC).misfire(policy).build());
    time.pass(Duration.ofMinutes(176).plusSeconds(30));
    HandDrivenTracker next = anotherTracker();
    next.generate();

    List<Assignment> drawn = drawAndRun(next.worker("worker-1"));

    assertThat(drawn.stream().map(a -> a.plannedFor().toString().substring(11, 16)).sorted())
        .containsExactlyElementsOf(runs.isEmpty() ? List.of() : List.of(runs.split(" ")));
    assertThat(skippedInstants("report")).isEqualTo(skipped);
  }

  @Test
  void jobWhoseGenerationLagsWaitsForItAndTheGeneratorIsWoken() {
    tracker.submit(job("poll").every(MINUTE).build());
    time.pass(Duration.ofMinutes(30));
    HandDrivenTracker next = anotherTracker();

    assertThat(next.worker("worker-1").take(100)).isEmpty();

    assertThat(next.signals().lags()).isPositive();
    assertThat(ledger("poll")).isEmpty();
    assertThat(waiting("poll")).hasSize(11);
  }

  /** A schedule whose next fire time is far away is not generated again before that. */
  @Test
  void jobWithNothingToGenerateForALongTimeDoesNotLag() {
    tracker.submit(
        job("daily").cron("0 5 10 * * ?", ZoneOffset.UTC).misfire(MisfirePolicy.latest()).build());
    time.pass(Duration.ofMinutes(40));
    tracker.generate();

    assertThat(tracker.worker("worker-1").take(5)).hasSize(1);
    assertThat(tracker.signals().lags()).isZero();
  }

  @Test
  void jobThatHasFiredForTheLastTimeDoesNotLag() {
    tracker.submit(job("thrice").every(MINUTE).times(3).build());
    time.pass(Duration.ofMinutes(30));
    tracker.generate();

    assertThat(minutesOf(tracker.worker("worker-1").take(5))).containsExactly(2L);
    assertThat(tracker.signals().lags()).isZero();
  }

  @ParameterizedTest
  @MethodSource("policies")
  void whileEveryWorkerIsBusyThePolicySaysWhatIsKept(MisfirePolicy policy) {
    tracker.submit(job("poll").every(MINUTE).misfire(policy).build());
    HandDrivenWorker worker = tracker.worker("worker-1");
    beatFor(Duration.ofMinutes(5).plusSeconds(30));

    Instant now = time.now();
    List<Long> ran = runEverythingDue(tracker, worker);

    assertThat(ran).isEqualTo(expectedToRun("poll", policy, now));
    assertEveryInstantHasOneEnd("poll", now);
  }

  static Stream<MisfirePolicy> policies() {
    return Stream.of(
        MisfirePolicy.none(),
        MisfirePolicy.latest(),
        MisfirePolicy.all(),
        MisfirePolicy.all().atMost(2),
        MisfirePolicy.all().within(Duration.ofMinutes(3)));
  }

  /**
   * One slot every few seconds: at every claim the policy holds for what has been missed by then.
   */
  @ParameterizedTest
  @MethodSource("policies")
  void whileWorkersAreSlowThePolicyHoldsAtEveryClaim(MisfirePolicy policy) {
    tracker.submit(job("poll").every(Duration.ofSeconds(7)).misfire(policy).build());
    HandDrivenWorker worker = tracker.worker("worker-1");
    for (int round = 0; round < 60; round++) {
      beatFor(Duration.ofSeconds(23));
      Instant before = time.now();
      List<Long> waitingBefore =
          waiting("poll").stream()
              .map(WaitingTrigger::plannedFor)
              .filter(at -> at <= before.toEpochMilli())
              .toList();
      for (Assignment assignment : worker.receive(worker.pull(1))) {
        long planned = assignment.plannedFor().toEpochMilli();
        long missedBefore = missedBefore("poll", before);
        List<Long> newer =
            waitingBefore.stream().filter(at -> at > planned && at < missedBefore).toList();
        if (planned < missedBefore) {
          assertThat(policy.kind()).isEqualTo(MisfirePolicy.Kind.ALL);
          assertThat(newer).hasSizeLessThan(mayRun(policy));
          assertThat(before.toEpochMilli() - planned)
              .isLessThanOrEqualTo(policy.window().toMillis());
        }
        worker.succeed(assignment);
      }
    }
    Instant end = time.now();
    runEverythingDue(tracker, worker);
    assertEveryInstantHasOneEnd("poll", end);
  }

  @Test
  void withNoneNothingStartsLaterThanTheThreshold() {
    tracker.submit(job("poll").every(Duration.ofHours(1)).misfire(MisfirePolicy.none()).build());
    HandDrivenWorker worker = tracker.worker("worker-1");
    tracker.load();
    time.pass(MISFIRE_THRESHOLD.plusMillis(1));

    assertThat(worker.receive(worker.pull(1))).isEmpty();

    assertThat(tracker.signals().lowDeque()).as("a load is wanted").isPositive();
    tracker.load();
    assertThat(ledger("poll"))
        .singleElement()
        .matches(
            row ->
                row.status() == LedgerStatus.SKIPPED
                    && Cause.of(CauseCode.MISSED).equals(row.cause()));
  }

  @Test
  void withNoneWhatIsDrawnInTheLastMillisecondOfTheThresholdRuns() {
    tracker.submit(job("poll").every(Duration.ofHours(1)).misfire(MisfirePolicy.none()).build());
    tracker.load();
    time.pass(MISFIRE_THRESHOLD);

    assertThat(tracker.worker("worker-1").takeOne().plannedFor()).isEqualTo(HandTime.START);
  }

  @Test
  void missedTriggerThatWaitsOnOutlivesItsWindowByNoMillisecond() {
    MisfirePolicy policy = MisfirePolicy.latest().within(Duration.ofMinutes(3));
    tracker.submit(
        job("in-time").every(Duration.ofHours(1)).misfire(policy).build(),
        job("too-late").every(Duration.ofHours(1)).misfire(policy).build());
    HandDrivenWorker worker = tracker.worker("worker-1");
    beatFor(Duration.ofMinutes(2));
    time.pass(Duration.ofMinutes(1));

    List<Assignment> first = worker.receive(worker.pull(1));
    time.pass(Duration.ofMillis(1));
    List<Assignment> second = worker.receive(worker.pull(1));
    tracker.load();

    assertThat(first).hasSize(1);
    assertThat(second).isEmpty();
    String other = first.get(0).taskId().equals("in-time") ? "too-late" : "in-time";
    assertThat(ends(other)).containsExactly("SKIPPED");
  }

  /** It is in memory by then, and no load comes in between. */
  @Test
  void triggerGivesWayInTheMillisecondInWhichTheNextIsDue() {
    tracker.submit(job("poll").every(MINUTE).build(), job("other").every(MINUTE).build());
    HandDrivenWorker worker = tracker.worker("worker-1");
    beatFor(Duration.ofSeconds(58));
    time.pass(Duration.ofMillis(1_999));
    assertThat(minutesOf(worker.receive(worker.pull(1)))).containsExactly(0L);
    time.pass(Duration.ofMillis(1));

    List<Assignment> drawn = worker.receive(worker.pull(5));

    assertThat(minutesOf(drawn)).containsOnly(1L);
    assertThat(tracker.signals().lowDeque()).as("a load is wanted").isPositive();
    assertThat(worker.take(5)).isEmpty();
    assertThat(
            Stream.of("poll", "other")
                .flatMap(taskId -> ledger(taskId).stream())
                .filter(row -> Cause.of(CauseCode.MISSED).equals(row.cause())))
        .singleElement()
        .matches(row -> row.plannedFor() == START && row.instants() == 1);
  }

  /** A tracker that stands still between looking for work and drawing it draws nothing too late. */
  @Test
  void triggerThatIsMissedWhileItIsBeingDrawnIsNotDrawn() {
    tracker.submit(job("poll").every(MINUTE).misfire(MisfirePolicy.none()).build());
    HandDrivenWorker worker = tracker.worker("worker-1");
    tracker.load();
    WaitingTrigger taken = tracker.group().head().takeForClaim(time.millis(), time.millis());
    time.pass(MINUTE);

    assertThat(taken).isNotNull();
    assertThat(tracker.group().head().missedInClaim(List.of(taken.id()), time.millis()))
        .containsExactly(taken.id());
    Set<Long> onTheWheel = tracker.group().head().putBack(List.of(taken.id()), time.millis());
    assertThat(onTheWheel).isEmpty();
    assertThat(minutesOf(worker.take(5))).containsExactly(1L);
    assertThat(skippedMinutes("poll")).containsExactly(0L);
  }

  /** Rows that a tracker of the version before has written do not say when the next one is due. */
  @Test
  void rowWithoutTheNextFireTimeIsMissedByTheThreshold() {
    tracker.submit(job("poll").every(Duration.ofSeconds(30)).build());
    byHand("UPDATE jt_waiting_orders SET next_at = NULL");
    time.pass(MISFIRE_THRESHOLD.plusMillis(1));

    assertThat(minutesOf(tracker.worker("worker-1").take(5))).doesNotContain(0L);
    assertThat(skippedInstants("poll")).isPositive();
  }

  @Test
  void severalInARowAreOneRowOfTheLedger() {
    tracker.submit(job("poll").every(MINUTE).misfire(MisfirePolicy.none()).build());
    time.pass(Duration.ofMinutes(9));

    tracker.load();

    assertThat(ledger("poll"))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.plannedFor()).isEqualTo(START);
              assertThat(row.plannedTo()).isEqualTo(START + 8 * 60_000);
              assertThat(row.instants()).isEqualTo(9);
              assertThat(row.cause()).isEqualTo(Cause.of(CauseCode.MISSED));
              assertThat(row.status()).isEqualTo(LedgerStatus.SKIPPED);
            });
  }

  @Test
  void clientIsToldOfWhatWasSkipped() {
    tracker.submit(job("told").every(MINUTE).misfire(MisfirePolicy.none()).feedback(true).build());
    time.pass(Duration.ofMinutes(5));

    tracker.load();

    assertThat(stores.feedback().read("shop", 0, 10))
        .singleElement()
        .matches(feedback -> feedback.result().disposition().name().equals("SKIPPED"));
    assertThat(tracker.signals().feedback()).isPositive();
  }

  /** One-shots, retries and what waits for its turn are late, and run. */
  @Test
  void whatIsNotMissableIsLeftAlone() {
    tracker.submit(
        job("once").build(),
        job("poll").every(Duration.ofHours(1)).retry(3).misfire(MisfirePolicy.none()).build());
    HandDrivenWorker worker = tracker.worker("worker-1");
    Assignment attempt =
        worker.take(5).stream().filter(a -> a.taskId().equals("poll")).findFirst().orElseThrow();
    worker.report(attempt, Outcome.EXCEPTION);
    tracker.submit(job("later-once").build());
    time.pass(Duration.ofMinutes(30));

    assertThat(worker.take(5))
        .extracting(Assignment::taskId)
        .containsExactlyInAnyOrder("poll", "later-once");
  }

  @Test
  void chainedJobThatSkipsGoesOnWithItsNextFireTime() {
    for (Job.Builder job :
        List.of(
            job("grid").every(MINUTE).relyOnPrevCycle(true),
            job("cron").cron("0 * * * * ?", ZoneOffset.UTC).relyOnPrevCycle(true),
            job("delay").fixedDelay(MINUTE))) {
      tracker.submit(job.misfire(MisfirePolicy.none()).build());
    }
    time.pass(Duration.ofMinutes(30).plusSeconds(10));

    tracker.load();

    long next = START + 31 * 60_000;
    assertThat(waiting("grid")).extracting(WaitingTrigger::plannedFor).containsExactly(next);
    assertThat(waiting("cron")).extracting(WaitingTrigger::plannedFor).containsExactly(next);
    assertThat(waiting("delay"))
        .extracting(WaitingTrigger::plannedFor)
        .containsExactly(time.millis() + 60_000);
    for (String taskId : List.of("grid", "cron", "delay")) {
      assertThat(ends(taskId)).containsExactly("SKIPPED");
    }
    assertThat(tracker.signals().triggersDue()).contains(next);
  }

  @Test
  void chainedJobRunsItsOneTriggerUnlessItIsOlderThanTheWindow() {
    tracker.submit(
        job("in-window").fixedDelay(MINUTE).build(),
        job("too-old")
            .fixedDelay(MINUTE)
            .misfire(MisfirePolicy.all().within(Duration.ofMinutes(29)))
            .build());
    time.pass(Duration.ofMinutes(30));

    assertThat(tracker.worker("worker-1").take(5))
        .extracting(Assignment::taskId)
        .containsExactly("in-window");
    assertThat(ends("too-old")).containsExactly("SKIPPED");
    assertThat(waiting("too-old")).hasSize(1);
  }

  @Test
  void chainedJobWhoseLastTriggerIsSkippedIsFinished() {
    tracker.submit(
        job("once-more").fixedDelay(MINUTE).times(1).misfire(MisfirePolicy.none()).build());
    time.pass(Duration.ofMinutes(5));

    tracker.load();

    assertThat(definition("once-more").state().name()).isEqualTo("FINISHED");
    assertThat(waiting("once-more")).isEmpty();
  }

  @Test
  void countedJobWhoseTriggersAreAllSkippedIsFinished() {
    tracker.submit(job("five").every(MINUTE).times(5).misfire(MisfirePolicy.none()).build());
    time.pass(Duration.ofMinutes(20));
    tracker.load();
    tracker.generate();
    time.pass(Duration.ofMinutes(1));
    tracker.generate();

    assertThat(definition("five").state().name()).isEqualTo("FINISHED");
    assertThat(ledger("five")).singleElement().matches(row -> row.instants() == 5);
  }

  private static int mayRun(MisfirePolicy policy) {
    return switch (policy.kind()) {
      case NONE -> 0;
      case LATEST, UNKNOWN -> 1;
      case ALL -> policy.cap();
    };
  }

  /** Lets time pass with the tracker's timers on their beat, and no worker free. */
  private void beatFor(Duration duration) {
    Duration beat = Duration.ofSeconds(2);
    Duration left = duration;
    while (!left.isNegative() && !left.isZero()) {
      time.pass(left.compareTo(beat) < 0 ? left : beat);
      left = left.minus(beat);
      tracker.generate();
      tracker.load();
    }
  }

  /** In which minutes what was due and ran was planned. */
  private static List<Long> runEverythingDue(HandDrivenTracker tracker, HandDrivenWorker worker) {
    List<Assignment> drawn = new ArrayList<>(worker.receive(worker.pull(256)));
    drawn.forEach(worker::succeed);
    drawn.addAll(drawAndRun(worker));
    tracker.load();
    return minutesOf(drawn);
  }

  /** What waits for its turn is drawn when the run before it has ended. */
  private static List<Assignment> drawAndRun(HandDrivenWorker worker) {
    List<Assignment> drawn = new ArrayList<>();
    List<Assignment> more = worker.take(256);
    while (!more.isEmpty()) {
      drawn.addAll(more);
      more.forEach(worker::succeed);
      more = worker.take(256);
    }
    return drawn;
  }

  private void assertDecided(String taskId, MisfirePolicy policy) {
    Instant now = time.now();
    List<Long> ran =
        ledger(taskId).stream()
            .filter(row -> row.status() == LedgerStatus.SUCCEEDED)
            .map(row -> (row.plannedFor() - START) / 60_000)
            .sorted()
            .toList();

    assertThat(ran).isEqualTo(expectedToRun(taskId, policy, now));
    assertEveryInstantHasOneEnd(taskId, now);
    assertThat(ledger(taskId).stream().filter(row -> row.status() == LedgerStatus.SKIPPED))
        .as("one run of those that had triggers, one of those that had none")
        .hasSizeLessThanOrEqualTo(2);
  }

  /** The newest fire time that is due stands for all before it, unless all of them run. */
  private List<Long> expectedToRun(String taskId, MisfirePolicy policy, Instant now) {
    List<Long> all = fireTimes(taskId, now);
    long missedBefore = missedBefore(taskId, now);
    List<Long> missed = all.stream().filter(at -> at < missedBefore).toList();
    boolean isOneInTime = missed.size() < all.size();
    int most = isOneInTime && policy.kind() == MisfirePolicy.Kind.LATEST ? 0 : mayRun(policy);
    List<Long> run =
        new ArrayList<>(
            missed.subList(Math.max(0, missed.size() - most), missed.size()).stream()
                .filter(at -> now.toEpochMilli() - at <= policy.window().toMillis())
                .toList());
    all.stream().filter(at -> at >= missedBefore).forEach(run::add);
    return run.stream().map(at -> (at - START) / 60_000).toList();
  }

  private long missedBefore(String taskId, Instant now) {
    long late = now.minus(MISFIRE_THRESHOLD).toEpochMilli();
    List<Long> all = fireTimes(taskId, now);
    return Math.max(late, all.get(all.size() - 1));
  }

  private long skippedInstants(String taskId) {
    return ledger(taskId).stream()
        .filter(row -> row.status() == LedgerStatus.SKIPPED)
        .mapToLong(LedgerEntry::instants)
        .sum();
  }

  private void assertEveryInstantHasOneEnd(String taskId, Instant now) {
    List<Long> ended = new ArrayList<>();
    for (LedgerEntry row : ledger(taskId)) {
      List<Long> instants =
          fireTimes(taskId, Instant.ofEpochMilli(row.plannedTo())).stream()
              .filter(at -> at >= row.plannedFor())
              .toList();
      assertThat(instants).as("counted exactly").hasSize((int) row.instants());
      ended.addAll(instants);
    }
    ended.sort(null);
    assertThat(ended).doesNotHaveDuplicates().containsAll(fireTimes(taskId, now));
  }

  /** What the schedule says up to now. */
  private List<Long> fireTimes(String taskId, Instant now) {
    JobDefinition job = definition(taskId);
    FireTimes times =
        FireTimes.of(job.schedule(), Instant.ofEpochMilli(job.acceptedAt()), ZoneOffset.UTC);
    List<Long> all = new ArrayList<>();
    Optional<Instant> next = times.nextAfter(HandTime.START.minusMillis(1));
    while (next.isPresent() && !next.get().isAfter(now)) {
      all.add(next.get().toEpochMilli());
      next = times.nextAfter(next.get());
    }
    return all;
  }

  private List<Long> skippedMinutes(String taskId) {
    return ledger(taskId).stream()
        .filter(row -> row.status() == LedgerStatus.SKIPPED)
        .flatMap(
            row ->
                LongStream.rangeClosed(
                        (row.plannedFor() - START) / 60_000, (row.plannedTo() - START) / 60_000)
                    .boxed())
        .toList();
  }

  private static List<Long> minutesOf(List<Assignment> assignments) {
    return assignments.stream()
        .map(assignment -> (assignment.plannedFor().toEpochMilli() - START) / 60_000)
        .sorted()
        .toList();
  }
}
