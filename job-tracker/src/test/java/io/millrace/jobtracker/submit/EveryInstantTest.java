package io.millrace.jobtracker.submit;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.MisfirePolicy;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever is asked of a job, and whenever: each instant of its schedule has one disposition. The
 * job fires every second, also after every edit, and what happens to it often falls on the very
 * millisecond of an instant.
 */
class EveryInstantTest extends ServiceTest {
  private static final int STEPS = 150;
  private static final String EVERY_SECOND = "* * * * * ?";

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void everyInstantHasOneDisposition(int seed) {
    Random random = new Random(seed);
    HandDrivenWorker worker = tracker.worker("worker-1");
    List<Assignment> running = new ArrayList<>();
    long start = time.millis();
    submit(random);

    for (int step = 0; step < STEPS; step++) {
      time.pass(pause(random));
      act(random, worker, running);
    }
    long end = time.millis();
    tracker.cancel("poll");
    running.forEach(worker::succeed);

    assertThat(waiting("poll")).isEmpty();
    assertThat(executing("poll")).isEmpty();
    Map<Long, Integer> dispositions = dispositions();
    for (long instant = start; instant <= end; instant += 1_000) {
      assertThat(dispositions).as("seed %s", seed).containsEntry(instant, 1);
    }
    assertThat(dispositions).hasSize((int) ((end - start) / 1_000) + 1);
  }

  /** Half of the time to the next instant exactly; seldom for longer than triggers are written. */
  private Duration pause(Random random) {
    if (random.nextInt(50) == 0) {
      return Duration.ofMinutes(15);
    }
    long untilInstant = 1_000 - time.millis() % 1_000;
    return Duration.ofMillis(random.nextBoolean() ? untilInstant : random.nextInt(3_000));
  }

  private void act(Random random, HandDrivenWorker worker, List<Assignment> running) {
    switch (random.nextInt(9)) {
      case 0 -> tracker.pause("poll");
      case 1, 2 -> tracker.resume("poll");
      case 3 -> submit(random);
      case 4 -> tracker.generate();
      case 5 -> tracker.runNow("poll");
      case 6 -> running.addAll(worker.take(3));
      default -> {
        if (!running.isEmpty()) {
          worker.report(
              running.remove(0), random.nextInt(3) == 0 ? Outcome.EXCEPTION : Outcome.SUCCESS);
        }
      }
    }
  }

  private void submit(Random random) {
    MisfirePolicy[] misfires = {
      MisfirePolicy.none(),
      MisfirePolicy.latest().alsoAfterPause(),
      MisfirePolicy.all().alsoAfterPause(),
      MisfirePolicy.all()
    };
    OverlapPolicy[] overlaps = {
      OverlapPolicy.allow(), OverlapPolicy.skip(), OverlapPolicy.queue(3)
    };
    assertThat(
            tracker
                .submit(
                    job("poll")
                        .cron(EVERY_SECOND)
                        .misfire(misfires[random.nextInt(misfires.length)])
                        .overlap(overlaps[random.nextInt(overlaps.length)])
                        .replaceExisting(true)
                        .build())
                .isStored())
        .isTrue();
  }

  /** How many dispositions each instant of the schedule has. */
  private Map<Long, Integer> dispositions() {
    Map<Long, Integer> dispositions = new TreeMap<>();
    for (LedgerEntry row : ledger("poll")) {
      if (row.status().isFinal() && !row.key().isExtra()) {
        assertThat(row.instants())
            .as("%s", row)
            .isEqualTo((row.plannedTo() - row.plannedFor()) / 1_000 + 1);
        for (long instant = row.plannedFor(); instant <= row.plannedTo(); instant += 1_000) {
          dispositions.merge(instant, 1, Integer::sum);
        }
      }
    }
    return dispositions;
  }
}
