package io.millrace.jobtracker.group.preload;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.PullReply;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.schedule.FireTimes;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What begins in the moment in which an outage is over, of jobs that fire often and seldom: with
 * default policies one run for all that was missed, and none beside itself.
 */
class CatchUpTest extends ServiceTest {
  private static final int CAP = 7;

  /** What was away. */
  private enum Outage {
    TRACKER,
    WORKERS,
    FREE_SLOTS
  }

  private enum Rhythm {
    EVERY_SECOND,
    EVERY_TEN_SECONDS,
    EVERY_MINUTE;

    Job.Builder of(Job.Builder job) {
      return switch (this) {
        case EVERY_SECOND -> job.every(Duration.ofSeconds(1));
        case EVERY_TEN_SECONDS -> job.every(Duration.ofSeconds(10));
        case EVERY_MINUTE -> job.cron("0 * * * * ?", ZoneOffset.UTC);
      };
    }
  }

  static Stream<Arguments> outages() {
    return Stream.of(Outage.values())
        .flatMap(
            outage ->
                Stream.of(Duration.ofSeconds(30), Duration.ofMinutes(10), Duration.ofDays(1))
                    .flatMap(
                        length ->
                            Stream.of(Rhythm.values())
                                .map(rhythm -> Arguments.of(outage, length, rhythm))));
  }

  @ParameterizedTest
  @MethodSource("outages")
  void atMostOneRunBeginsForAllThatWasMissed(Outage outage, Duration length, Rhythm rhythm) {
    HandDrivenTracker back =
        away(
            outage,
            length,
            rhythm.of(job("default")).build(),
            rhythm.of(job("beside")).overlap(OverlapPolicy.allow()).build());

    List<Assignment> begun = drawAll(back, back.worker("worker-1"));

    for (String taskId : List.of("default", "beside")) {
      assertThat(plannedFor(begun, taskId))
          .as("the newest that is due, of %s", taskId)
          .containsExactly(newestDue(taskId));
      assertEveryFireTimeIsAccountedFor(taskId, begun);
    }
  }

  @ParameterizedTest
  @MethodSource("outages")
  void withNoneNothingThatWasMissedRuns(Outage outage, Duration length, Rhythm rhythm) {
    HandDrivenTracker back =
        away(
            outage,
            length,
            rhythm.of(job("none")).misfire(MisfirePolicy.none()).build(),
            rhythm
                .of(job("beside"))
                .misfire(MisfirePolicy.none())
                .overlap(OverlapPolicy.allow())
                .build());

    List<Assignment> begun = drawAll(back, back.worker("worker-1"));

    for (String taskId : List.of("none", "beside")) {
      assertThat(plannedFor(begun, taskId))
          .as("the one that is in time, of %s", taskId)
          .containsExactly(newestDue(taskId));
      assertEveryFireTimeIsAccountedFor(taskId, begun);
    }
  }

  /** Minutes after the last fire time nothing is in time any more. */
  @ParameterizedTest
  @EnumSource(Outage.class)
  void withNoneNothingRunsOfWhatHasEnded(Outage outage) {
    Instant end = time.now().plusSeconds(20);
    HandDrivenTracker back =
        away(
            outage,
            Duration.ofMinutes(10),
            job("none")
                .every(Duration.ofSeconds(1))
                .until(end)
                .misfire(MisfirePolicy.none())
                .build(),
            job("latest").every(Duration.ofSeconds(1)).until(end).build());

    List<Assignment> begun = drawAll(back, back.worker("worker-1"));

    assertThat(plannedFor(begun, "none")).isEmpty();
    assertThat(plannedFor(begun, "latest")).containsExactly(end.minusSeconds(1));
    assertEveryFireTimeIsAccountedFor("none", begun);
    assertEveryFireTimeIsAccountedFor("latest", begun);
  }

  @ParameterizedTest
  @MethodSource("outages")
  void withAllAsManyRunAsTheCapSays(Outage outage, Duration length, Rhythm rhythm) {
    MisfirePolicy all = MisfirePolicy.all().atMost(CAP).within(Duration.ofDays(2));
    HandDrivenTracker back =
        away(
            outage,
            length,
            rhythm.of(job("queued")).misfire(all).build(),
            rhythm.of(job("beside")).misfire(all).overlap(OverlapPolicy.allow()).build());

    HandDrivenWorker worker = back.worker("worker-1");
    List<Assignment> begun = new ArrayList<>(drawAll(back, worker));

    List<Instant> due = due("beside");
    List<Instant> kept = due.subList(Math.max(0, due.size() - 1 - CAP), due.size());
    assertThat(plannedFor(begun, "beside"))
        .as("the latest that were missed, and the one that is in time")
        .isEqualTo(kept);
    assertThat(plannedFor(begun, "queued")).as("one at a time").hasSize(1);
    for (int i = 0; i < begun.size(); i++) {
      if (begun.get(i).taskId().equals("queued")) {
        worker.succeed(begun.get(i));
        begun.addAll(drawAll(back, worker));
      }
    }
    assertThat(plannedFor(begun, "queued")).as("in the end").isEqualTo(kept);
    assertEveryFireTimeIsAccountedFor("beside", begun);
  }

  /** Lets an outage pass in which nothing of these jobs runs, and returns the tracker after it. */
  private HandDrivenTracker away(Outage outage, Duration length, Job... jobs) {
    HandDrivenWorker worker = tracker.worker("worker-0");
    if (outage == Outage.FREE_SLOTS) {
      tracker.submit(job("long").priority(0).build());
      assertThat(worker.take(1)).hasSize(1);
    }
    tracker.submit(jobs);
    if (outage == Outage.TRACKER) {
      time.pass(length.plusMillis(500));
      HandDrivenTracker next = anotherTracker();
      next.generate();
      return next;
    }
    Duration beat = length.dividedBy(Math.min(15, length.toSeconds() / 2));
    for (Duration passed = beat; passed.compareTo(length) <= 0; passed = passed.plus(beat)) {
      time.pass(beat);
      if (outage == Outage.FREE_SLOTS) {
        assertThat(worker.beat().assignments()).isEmpty();
      }
      tracker.generate();
      tracker.load();
    }
    time.pass(Duration.ofMillis(500));
    tracker.generate();
    return tracker;
  }

  /** A thousand slots ask at once, and nothing that begins ends. */
  private static List<Assignment> drawAll(HandDrivenTracker tracker, HandDrivenWorker worker) {
    List<Assignment> begun = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      tracker.load();
      CompletableFuture<PullReply> reply = worker.pull(1_000);
      if (reply.isDone()) {
        begun.addAll(worker.receive(reply));
      }
    }
    return begun;
  }

  private static List<Instant> plannedFor(List<Assignment> begun, String taskId) {
    return begun.stream()
        .filter(assignment -> assignment.taskId().equals(taskId))
        .map(Assignment::plannedFor)
        .sorted()
        .toList();
  }

  /** Every fire time that is due, oldest first. */
  private List<Instant> due(String taskId) {
    JobDefinition job = definition(taskId);
    Instant accepted = Instant.ofEpochMilli(job.acceptedAt());
    FireTimes times = FireTimes.of(job.schedule(), accepted, ZoneOffset.UTC);
    List<Instant> due = new ArrayList<>();
    Optional<Instant> next = times.nextAfter(accepted.minusMillis(1));
    while (next.isPresent() && !next.get().isAfter(time.now())) {
      due.add(next.get());
      next = times.nextAfter(next.get());
    }
    return due;
  }

  private Instant newestDue(String taskId) {
    List<Instant> due = due(taskId);
    return due.get(due.size() - 1);
  }

  /** What does not run was missed, and the ledger counts each of them once. */
  private void assertEveryFireTimeIsAccountedFor(String taskId, List<Assignment> begun) {
    List<Instant> due = due(taskId);
    List<Instant> accountedFor = new ArrayList<>(plannedFor(begun, taskId));
    for (LedgerEntry row : ledger(taskId)) {
      assertThat(row.status()).isEqualTo(LedgerStatus.SKIPPED);
      assertThat(row.cause()).isEqualTo(Cause.of(CauseCode.MISSED));
      List<Instant> instants =
          due.stream()
              .filter(at -> at.toEpochMilli() >= row.plannedFor())
              .filter(at -> at.toEpochMilli() <= row.plannedTo())
              .toList();
      assertThat(instants).hasSize((int) row.instants());
      accountedFor.addAll(instants);
    }
    accountedFor.sort(null);
    assertThat(accountedFor).isEqualTo(due);
  }
}
