package io.millrace.jobtracker.group.pull;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.PARK_TIME;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RejectReason;
import io.millrace.api.RetryPolicy;
import io.millrace.api.SubmitResult;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Triggers that require labels of a worker, from their submit to their claim. */
class LanesTest extends ServiceTest {
  private HandDrivenWorker plain;
  private HandDrivenWorker gpu;

  @BeforeEach
  void connectWorkers() {
    plain = tracker.worker("plain");
    gpu = tracker.worker("gpu").labelled("eu", "gpu");
  }

  private static List<String> tasksOf(List<Assignment> assignments) {
    return assignments.stream().map(Assignment::taskId).toList();
  }

  private SubmitResult submitOn(String taskId, String... labels) {
    return tracker.submit(job(taskId).on(labels).build());
  }

  @Test
  void triggerGoesToAWorkerThatHasAllTheLabels() {
    submitOn("draw", "gpu");
    submitOn("draw-in-asia", "gpu", "asia");
    tracker.submit(job("add").build());

    assertThat(tasksOf(plain.take(10))).containsExactly("add");
    assertThat(tasksOf(gpu.take(10))).containsExactly("draw");
    assertThat(waiting("draw-in-asia")).hasSize(1);
    assertThat(tasksOf(tracker.worker("both").labelled("asia", "eu", "gpu").take(10)))
        .containsExactly("draw-in-asia");
  }

  @Test
  void retriesAndTriggersOfSchedulesStayInTheirLane() {
    tracker.submit(
        job("draw").on("gpu").retry(RetryPolicy.retries(1)).build(),
        job("poll").on("gpu").every(Duration.ofMinutes(1)).build());
    time.pass(Duration.ofMinutes(1));
    tracker.generate();
    assertThat(plain.take(10)).isEmpty();

    List<Assignment> taken = gpu.take(10);
    assertThat(tasksOf(taken)).contains("draw", "poll");
    taken.forEach(each -> gpu.report(each, Outcome.EXCEPTION));
    time.pass(Duration.ofMinutes(1));

    assertThat(plain.take(10)).isEmpty();
    assertThat(tasksOf(gpu.take(10))).contains("draw", "poll");
  }

  @Test
  void claimTakesTheFirstOfAllLanesThatAPullMayServe() {
    tracker.submit(job("later").build());
    time.pass(Duration.ofSeconds(1));
    submitOn("latest", "gpu");
    tracker.submit(job("first").priority(1).on("gpu").build());
    tracker.submit(job("last").priority(200).build());

    assertThat(tasksOf(gpu.take(2))).containsExactly("first", "later");
    assertThat(tasksOf(gpu.take(2))).containsExactly("latest", "last");
  }

  /** A label that no worker of the group has, ten seconds long. */
  @Test
  void dueTriggerThatNoParkedWorkerMayRunStartsNoClaim() {
    submitOn("draw", "tpu");
    tracker.load();
    for (int second = 0; second < 10; second++) {
      var unused = plain.pull(5);
      unused = gpu.pull(5);
      tracker.load();
      long before = time.handed();
      tracker.desk().dispatch();
      assertThat(time.handed()).as("claims in second %d", second).isEqualTo(before);
      time.pass(PARK_TIME);
      assertThat(time.handed()).as("the ends of two pulls").isLessThanOrEqualTo(before + 2);
    }
    assertThat(waiting("draw")).hasSize(1);
  }

  /** More than a head holds, so that they would fill it. */
  @Test
  void whatNobodyMayRunHidesNothing() {
    for (int page = 0; page < 6; page++) {
      int from = page * HandDrivenTracker.DEQUE_CAPACITY / 2;
      tracker.submit(
          IntStream.range(from, from + HandDrivenTracker.DEQUE_CAPACITY / 2)
              .mapToObj(n -> job("draw-" + n).priority(0).on("tpu").build())
              .toArray(Job[]::new));
    }
    tracker.submit(job("add").priority(200).build());

    assertThat(tasksOf(plain.take(10))).containsExactly("add");
    tracker.submit(job("add-more").priority(200).build());
    assertThat(tasksOf(gpu.take(10))).containsExactly("add-more");
  }

  @Test
  void laneIsFoundBehindABacklogThatMemoryDoesNotHold() {
    for (int page = 0; page < 3; page++) {
      int from = page * HandDrivenTracker.DEQUE_CAPACITY / 2;
      tracker.submit(
          IntStream.range(from, from + HandDrivenTracker.DEQUE_CAPACITY / 2)
              .mapToObj(n -> job("add-" + n).build())
              .toArray(Job[]::new));
    }
    tracker.submit(job("draw").priority(0).on("gpu").build());

    HandDrivenTracker other = anotherTracker();
    assertThat(tasksOf(other.worker("gpu").labelled("gpu").take(1))).containsExactly("draw");
  }

  /** Plain jobs start at their instant, and start no more claims than there are jobs. */
  @Test
  @Tag("long")
  void hundredThousandThatNobodyMayRunLeaveOthersPunctual() {
    submitOn("draw", "tpu");
    long row = waiting("draw").get(0).id();
    byHand(
        """
        INSERT INTO jt_waiting_orders
        SELECT id - x, CONCAT('bulk-', x), planned_at, ordinal, job_id, job_version, planned_for,
          due_at, priority, attempt, generated_at, spec, params_bytes, params, begun,
          submission_id, submitted_by, replay_of, next_at, lane, stick_to
        FROM jt_waiting_orders CROSS JOIN %s WHERE id = %d"""
            .formatted(numbers(100_000), row));
    for (int second = 0; second < 10; second++) {
      tracker.submit(job("add-" + second).after(Duration.ofMillis(500)).build());
      var parked = plain.pull(1);
      tracker.load();
      long before = time.handed();
      time.pass(Duration.ofMillis(499));
      assertThat(parked).isNotDone();
      time.pass(Duration.ofMillis(2));
      assertThat(parked).as("the pull of second %d", second).isDone();
      assertThat(time.handed()).as("tasks in second %d", second).isLessThanOrEqualTo(before + 5);
      assertThat(tasksOf(plain.receive(parked))).containsExactly("add-" + second);
    }
  }

  @Test
  void laneThatNobodyServesStillDecidesWhatWasMissed() {
    tracker.submit(
        job("poll").on("tpu").every(Duration.ofMinutes(1)).misfire(MisfirePolicy.none()).build());
    for (int minute = 0; minute < 10; minute++) {
      time.pass(Duration.ofMinutes(1));
      tracker.generate();
      tracker.load();
    }

    assertThat(ledger("poll")).isNotEmpty().allMatch(row -> row.status() == LedgerStatus.SKIPPED);
    assertThat(waiting("poll").stream().filter(row -> row.dueAt() <= time.millis()))
        .hasSizeLessThanOrEqualTo(2);
  }

  /** A night without workers that know parts: runs are missed as others are, and none is split. */
  @Test
  void runsThatNobodySplitsAreMissedAndTheNextIsSplitOnce() {
    HandDrivenWorker old = tracker.worker("old").withoutFeatures();
    tracker.submit(
        job("close")
            .shards(3)
            .every(Duration.ofMinutes(1))
            .misfire(MisfirePolicy.none())
            .overlap(OverlapPolicy.allow())
            .build());
    for (int minute = 0; minute < 10; minute++) {
      assertThat(old.take(5)).isEmpty();
      time.pass(Duration.ofMinutes(1));
      tracker.generate();
      tracker.load();
    }
    assertThat(stores.batches().findUnderWay(GROUP, 0, 10)).isEmpty();
    assertThat(ledger("close")).isNotEmpty().allMatch(row -> row.status() == LedgerStatus.SKIPPED);

    assertThat(plain.take(5).size() + plain.take(5).size()).isEqualTo(3);
    assertThat(stores.batches().findUnderWay(GROUP, 0, 10)).hasSize(1);
  }

  @Test
  void partsAreNotOfferedToAWorkerThatKnowsNone() {
    HandDrivenWorker old = tracker.worker("old").withoutFeatures();
    tracker.submit(job("close").shards(3).build());
    var unused = old.pull(5);
    tracker.load();
    long before = time.handed();
    tracker.desk().dispatch();
    assertThat(time.handed()).isEqualTo(before);
    assertThat(stores.lanes().find(GROUP)).containsExactly(new Lane(1, List.of(Lane.PARTS)));

    assertThat(plain.take(5).size() + plain.take(5).size()).isEqualTo(3);
  }

  /** That the handler would make parts was not known when the job was submitted. */
  @Test
  void partsOfAMapRequireTheLabelsOfTheirRunAndAWorkerThatKnowsParts() {
    HandDrivenWorker old = tracker.worker("old").labelled("gpu").withoutFeatures();
    tracker.submit(job("draw").on("gpu").retry(RetryPolicy.retries(1)).build());
    gpu.map(gpu.takeOne(), 3);
    tracker.runBatches();

    startsNoClaim(old);
    startsNoClaim(plain);
    assertThat(stores.lanes().find(GROUP))
        .containsExactly(new Lane(1, List.of("gpu")), new Lane(2, List.of(Lane.PARTS, "gpu")));

    List<Assignment> parts = gpu.take(5);
    assertThat(parts).extracting(Assignment::part).containsExactlyInAnyOrder(1, 2, 3);
    gpu.report(parts.get(0), Outcome.EXCEPTION);
    gpu.map(parts.get(1), 2);
    time.pass(Duration.ofMinutes(1));
    tracker.runBatches();

    startsNoClaim(old);
    startsNoClaim(plain);
    assertThat(gpu.take(5)).as("a retry, and parts of a part").hasSize(3);
  }

  @Test
  void partsOfAPlainMapAreNotOfferedToAWorkerThatKnowsNone() {
    tracker.submit(job("index").build());
    plain.map(plain.takeOne(), 3);
    tracker.runBatches();

    startsNoClaim(tracker.worker("old").withoutFeatures());
    assertThat(gpu.take(5)).hasSize(3);
  }

  /** All parts are due at the split; the worker has room for one trigger at a time. */
  @Test
  void partYieldsToAJobThatFallsDueWithinASecondOfIt() {
    tracker.submit(job("close").shards(10).build());
    assertThat(plain.take(1).size() + plain.take(1).size()).isPositive();
    time.pass(Duration.ofMillis(999));
    tracker.submit(job("add").build());
    time.pass(Duration.ofMillis(2));
    tracker.submit(job("add-late").build(), job("add-urgent").priority(1).build());

    assertThat(tasksOf(plain.take(1))).containsExactly("add-urgent");
    assertThat(tasksOf(plain.take(1))).containsExactly("add");
    assertThat(plain.takeOne().shard()).isNotNull();
    assertThat(plain.takeOne().shard()).as("before the late job").isNotNull();
  }

  private void startsNoClaim(HandDrivenWorker worker) {
    var parked = worker.pull(5);
    tracker.load();
    long before = time.handed();
    tracker.desk().dispatch();
    assertThat(time.handed()).isEqualTo(before);
    assertThat(parked).isNotDone();
  }

  @Test
  void sixteenSetsOfLabelsAreAllowedAndTheNextIsNamed() {
    for (int n = 10; n < 26; n++) {
      assertThat(submitOn("draw-" + n, "label-" + n).status().name()).isEqualTo("ACCEPTED");
    }

    SubmitResult refused = submitOn("draw", "label-26");
    assertThat(refused.reason()).isEqualTo(RejectReason.TOO_MANY_LANES);
    assertThat(refused.message()).contains("label-26", "label-10; label-11");
    assertThat(submitOn("draw-again", "label-10").status().name()).isEqualTo("ACCEPTED");
    assertThat(tracker.submit(job("add").build()).status().name()).isEqualTo("ACCEPTED");
    assertThat(stores.lanes().find(GROUP)).hasSize(Lane.MOST);
  }

  @Test
  void anotherTrackerFindsTheLanesAndNeedsNoFurtherOnes() {
    submitOn("draw", "gpu");
    HandDrivenTracker other = anotherTracker();
    other.submit(job("draw-more").on("gpu").build());

    assertThat(stores.lanes().find(GROUP)).containsExactly(new Lane(1, List.of("gpu")));
    assertThat(other.worker("plain").take(5)).isEmpty();
    assertThat(tasksOf(other.worker("gpu").labelled("gpu").take(5)))
        .containsExactlyInAnyOrder("draw", "draw-more");
  }

  @Test
  void labelsAreCheckedAndTheirOrderMeansNothing() {
    assertThat(submitOn("bad", "g p u").reason()).isEqualTo(RejectReason.BAD_LABELS);
    submitOn("one", "gpu", "eu");
    submitOn("other", "eu", "gpu", "gpu");

    assertThat(stores.lanes().find(GROUP)).containsExactly(new Lane(1, List.of("eu", "gpu")));
  }
}
