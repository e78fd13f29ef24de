package io.millrace.jobtracker.purge;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.rpc.RoleTokens;
import io.millrace.internal.rpc.memory.InProcessNetwork;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.TrackerSettings;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.wiring.TrackerRuntime;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PurgeTaskTest {

  /** More lines than a run deletes; nothing is set and nobody asks for it. */
  @Test
  void trackerPurgesByDefaultAndComesAgainSoonWhileThereIsMore() {
    ManualClock clock = new ManualClock(Instant.parse("2026-11-21T00:00:00Z"));
    ManualTimer timer = new ManualTimer(clock);
    InProcessNetwork network = new InProcessNetwork(timer, Runnable::run, clock, 1);
    try (TestDatabase database = TestDatabase.h2()) {
      log(database, 50_000, clock.millis() - Duration.ofDays(8).toMillis());
      log(database, 10, clock.millis() - Duration.ofDays(6).toMillis());
      TrackerRuntime runtime =
          new TrackerRuntime(
              database.stores(),
              network.server("tracker:1", "tracker", RoleTokens.NONE),
              new TimedExecutor(clock, timer, Runnable::run),
              new Random(1));
      try (JobTracker tracker = JobTracker.over(TrackerSettings.byDefault(), runtime)) {
        tracker.start();

        timer.advance(Duration.ofMinutes(12));

        assertThat(database.count("jt_job_log")).isEqualTo(10);
      }
    }
  }

  private static void log(TestDatabase database, int lines, long claimedAt) {
    database.execute(
        "INSERT INTO jt_job_log SELECT %d + x, 1, 0, 'INFO', 'a line' FROM SYSTEM_RANGE(1, %d)"
            .formatted(IdSequence.lowestAt(claimedAt), lines));
  }
}
