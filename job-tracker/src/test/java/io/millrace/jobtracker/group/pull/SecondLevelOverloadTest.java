package io.millrace.jobtracker.group.pull;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.DEQUE_CAPACITY;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.MISFIRE_THRESHOLD;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.waiting.WaitingHead;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that fire every second, more of them than the workers can run. */
class SecondLevelOverloadTest extends ServiceTest {
  private static final int JOBS = 60;
  private static final int RUN_PER_SECOND = 10;

  /** Long enough for what waits to pass its bound by far, if it grew. */
  private static final int SECONDS = 150;

  private static final int AHEAD = 60;

  /** As the policy says, and nothing is lost; what waits does not grow with the time it lasts. */
  @ParameterizedTest
  @ValueSource(strings = {"NONE", "LATEST", "ALL"})
  void whatCannotBeRunInTimeIsLateOrSkippedAndWhatWaitsIsBounded(String policy) {
    MisfirePolicy misfire =
        switch (policy) {
          case "NONE" -> MisfirePolicy.none();
          case "LATEST" -> MisfirePolicy.latest();
          default -> MisfirePolicy.all().atMost(5);
        };
    long start = time.millis();
    tracker.submit(
        IntStream.range(0, JOBS)
            .mapToObj(i -> job("job-" + i).cron("* * * * * ?").misfire(misfire))
            .map(job -> job.overlap(OverlapPolicy.allow()).build())
            .toArray(Job[]::new));
    HandDrivenWorker worker = tracker.worker("worker-1");
    long most = 0;
    for (int second = 0; second < SECONDS; second++) {
      time.pass(Duration.ofSeconds(1));
      tracker.generate();
      for (Assignment assignment : worker.take(RUN_PER_SECOND)) {
        worker.succeed(assignment);
      }
      most = Math.max(most, stores.waiting().countDue(GROUP, Long.MAX_VALUE - 1, 1_000_000));
      WaitingHead head = tracker.group().head();
      assertThat(head.dueCount()).isLessThanOrEqualTo(DEQUE_CAPACITY);
      assertThat(head.aheadCount()).isLessThanOrEqualTo(DEQUE_CAPACITY);
    }

    int waitUntilMissed = (int) MISFIRE_THRESHOLD.toSeconds();
    assertThat(most).isLessThanOrEqualTo(JOBS * (AHEAD + waitUntilMissed + 1 + 5 + 2));
    long ran = 0;
    long skipped = 0;
    Map<String, List<LedgerEntry>> ledger =
        stores.ledger().readAfter(Long.MIN_VALUE, 1_000_000).stream()
            .collect(Collectors.groupingBy(row -> row.key().taskId()));
    for (int i = 0; i < JOBS; i++) {
      List<Long> places = new ArrayList<>();
      waiting("job-" + i).forEach(row -> places.add(row.plannedFor()));
      for (LedgerEntry row : ledger.get("job-" + i)) {
        seconds(row).forEach(places::add);
        skipped += row.status() == LedgerStatus.SKIPPED ? row.instants() : 0;
        ran += row.status() == LedgerStatus.SUCCEEDED ? 1 : 0;
      }
      long until = definition("job-" + i).generatedUntil();
      assertThat(places)
          .as("each second of job-%d in one place", i)
          .containsExactlyInAnyOrderElementsOf(
              LongStream.rangeClosed(start / 1_000, until / 1_000)
                  .mapToObj(second -> second * 1_000)
                  .filter(at -> at >= start)
                  .toList());
    }
    assertThat(ran).isEqualTo((long) RUN_PER_SECOND * SECONDS);
    assertThat(skipped)
        .as("all but what ran and what still waits")
        .isGreaterThan((long) (JOBS - RUN_PER_SECOND) * (SECONDS - waitUntilMissed) * 8 / 10);
  }

  private static List<Long> seconds(LedgerEntry row) {
    return LongStream.range(0, row.instants()).mapToObj(i -> row.plannedFor() + i * 1_000).toList();
  }
}
