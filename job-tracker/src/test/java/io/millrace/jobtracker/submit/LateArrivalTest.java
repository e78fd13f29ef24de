package io.millrace.jobtracker.submit;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.protocol.SubmitReply;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.submit.job.JobValidator;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Recurring jobs that were submitted a while before they arrived: an outbox held them. */
class LateArrivalTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** The client's clock is wrong; what it measures is right. */
  private static final Duration WRONG_BY = Duration.ofDays(-3);

  private SubmitResult arrive(Duration waited, Job job) {
    return arrive("late", waited, job);
  }

  private SubmitResult arrive(String submissionId, Duration waited, Job job) {
    Instant sentAt = time.now().plus(WRONG_BY);
    JobSubmission submission = new JobSubmission(submissionId, job, sentAt.minus(waited));
    CompletableFuture<SubmitReply> reply =
        tracker
            .jobs()
            .submitter()
            .submit(HandDrivenTracker.CLIENT, new SubmitRequest(List.of(submission), sentAt));
    time.run();
    return reply.join().results().get(0);
  }

  private Instant ago(Duration duration) {
    return time.now().minus(duration);
  }

  private List<Instant> planned(String taskId) {
    return waiting(taskId).stream()
        .map(WaitingTrigger::plannedFor)
        .map(Instant::ofEpochMilli)
        .filter(at -> !at.isAfter(time.now()))
        .sorted()
        .toList();
  }

  @Test
  void fireTimesSinceTheSubmitAreMissedOrRunLateAsThePolicySays() {
    Instant start = ago(MINUTE.multipliedBy(10));

    assertThat(
            arrive(MINUTE.multipliedBy(10), job("poll").every(MINUTE).at(start).build()).status())
        .isEqualTo(SubmitStatus.ACCEPTED);

    assertThat(planned("poll"))
        .as("the one that is in time stands for those that were missed")
        .containsExactly(time.now());
    assertThat(ledger("poll"))
        .singleElement()
        .matches(row -> row.plannedFor() == start.toEpochMilli())
        .matches(row -> row.instants() == 10)
        .matches(row -> Cause.of(CauseCode.MISSED).equals(row.cause()));
  }

  @Test
  void jobThatCatchesUpNothingHasItsMissedFireTimesInTheLedger() {
    Instant start = ago(MINUTE.multipliedBy(10));

    arrive(
        MINUTE.multipliedBy(10),
        job("poll").every(MINUTE).at(start).misfire(MisfirePolicy.none()).feedback(true).build());

    assertThat(planned("poll")).containsExactly(time.now());
    assertThat(ledger("poll")).singleElement().matches(row -> row.instants() == 10);
    assertThat(tracker.signals().feedback()).isPositive();
  }

  @Test
  void scheduleThatPassedOnTheWayIsCaughtUpAndFinishes() {
    Instant start = ago(SECOND.multipliedBy(40));
    Job job =
        job("burst")
            .every(SECOND)
            .at(start)
            .times(20)
            .misfire(MisfirePolicy.all())
            .overlap(OverlapPolicy.allow())
            .build();

    assertThat(arrive(SECOND.multipliedBy(41), job).status()).isEqualTo(SubmitStatus.ACCEPTED);

    assertThat(planned("burst")).hasSize(20);
    HandDrivenWorker worker = tracker.worker("worker-1");
    tracker.load();
    worker.take(20).forEach(worker::succeed);
    time.pass(Duration.ofMinutes(1));
    tracker.generate();
    assertThat(definition("burst").state()).isEqualTo(JobState.FINISHED);
    assertThat(ends("burst")).hasSize(20).containsOnly("SUCCEEDED");
  }

  @Test
  void nothingIsPlannedBeforeTheSubmit() {
    arrive(
        MINUTE,
        job("anchored")
            .every(MINUTE)
            .at(ago(Duration.ofDays(365)))
            .misfire(MisfirePolicy.all())
            .build());

    assertThat(planned("anchored")).containsExactly(ago(MINUTE), time.now());
    assertThat(ledger("anchored")).isEmpty();
  }

  @Test
  void scheduleThatWasOverBeforeTheSubmitIsRefused() {
    Job job = job("over").every(SECOND).at(ago(MINUTE)).times(20).build();

    assertThat(arrive(SECOND.multipliedBy(30), job).reason()).isEqualTo(RejectReason.NEVER_FIRES);
  }

  @Test
  void waitIsBelievedAsFarAsAnOutboxKeepsAnything() {
    arrive(
        Duration.ofDays(30),
        job("old")
            .every(Duration.ofHours(1))
            .at(ago(Duration.ofDays(40)))
            .misfire(MisfirePolicy.none())
            .build());

    assertThat(ledger("old"))
        .singleElement()
        .matches(row -> row.plannedFor() >= ago(JobValidator.LONGEST_WAIT).toEpochMilli())
        .matches(row -> row.instants() <= 36);
  }

  /** Each of the twenty has one place: what has passed is in the ledger, the others vanish. */
  @Test
  void cancelRightAfterTheArrivalLeavesAnEndOfEachFireTimeThatPassed() {
    Instant start = ago(Duration.ofMillis(3_900));
    arrive(
        Duration.ofSeconds(5),
        job("short").every(SECOND).at(start).times(20).misfire(MisfirePolicy.all()).build());
    time.pass(Duration.ofMillis(50));

    tracker.cancel("short");

    assertThat(waiting("short")).isEmpty();
    assertThat(ends("short")).containsOnly("CANCELLED");
    assertThat(ledger("short"))
        .extracting(LedgerEntry::plannedFor)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 4)
                .mapToObj(i -> start.plus(SECOND.multipliedBy(i)).toEpochMilli())
                .toList());
  }

  @Test
  void submitThatIsSentAgainPlansNothingMore() {
    Job job = job("poll").every(MINUTE).at(ago(MINUTE)).build();
    arrive(MINUTE, job);
    int rows = waiting("poll").size();

    assertThat(arrive(MINUTE, job).status()).isEqualTo(SubmitStatus.ACCEPTED);

    assertThat(waiting("poll")).hasSize(rows);
  }

  /** The version before has seen to what has passed. */
  @Test
  void editThatArrivesLatePlansFromItsArrival() {
    tracker.submit(job("poll").every(MINUTE).at(ago(MINUTE)).build());
    time.pass(MINUTE.multipliedBy(3));

    arrive("edit", MINUTE.multipliedBy(2), job("poll").every(SECOND).replaceExisting(true).build());

    assertThat(waiting("poll"))
        .allMatch(row -> row.jobVersion() == 2 && row.plannedFor() >= time.millis());
  }

  @Test
  void jobInThePlaceOfOneThatIsOverIsNewSinceItsSubmit() {
    tracker.submit(job("poll").every(MINUTE).build());
    tracker.cancel("poll");
    time.pass(MINUTE.multipliedBy(5));

    arrive(
        "again",
        MINUTE,
        job("poll").every(MINUTE).at(ago(MINUTE)).misfire(MisfirePolicy.all()).build());

    assertThat(planned("poll")).containsExactly(ago(MINUTE), time.now());
  }

  @Test
  void chainedJobBeginsWithItsArrival() {
    arrive(MINUTE, job("chain").fixedDelay(SECOND).at(ago(MINUTE)).build());

    assertThat(waiting("chain")).singleElement().matches(row -> row.plannedFor() >= time.millis());
    assertThat(ledger("chain")).isEmpty();
  }
}
