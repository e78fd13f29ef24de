package io.millrace.jobtracker.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.engine.Timers;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.console.Counts;
import io.millrace.jobtracker.store.console.Counts.Of;
import io.millrace.jobtracker.store.console.FleetStores;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("database")
class FleetServiceTest {
  private static final Duration PERIOD = Duration.ofSeconds(3);

  private final HandTime time = new HandTime();
  private final TestDatabase database = TestDatabase.ofThisRun();
  private FleetStores stores;
  private FleetService service;
  private long started;

  @BeforeEach
  void makeService() {
    Stores all = database.stores();
    stores = all.console().fleet();
    service =
        new FleetService(
            new FleetReport(stores, all.waiting(), 1, List::of),
            new MinuteReport(
                stores.counts(),
                1,
                () -> Map.of("orders", new Counts(Map.of(Of.STARTED, started)))),
            new Timers(time.timedExecutor(), new Random(1)),
            PERIOD);
    service.start();
  }

  @AfterEach
  void closeDatabase() {
    database.close();
  }

  /** What the other services do while they stop is counted too. */
  @Test
  void itsTimerStopsAtOnceAndItsLastCountsAreWrittenAtTheEnd() {
    started = 5;
    time.pass(PERIOD.multipliedBy(2));
    assertThat(written()).isEqualTo(5);

    assertThat(service.stop()).isCompleted();
    started = 7;
    time.pass(PERIOD.multipliedBy(2));
    assertThat(written()).as("its timer has stopped").isEqualTo(5);

    assertThat(service.finish()).isCompleted();
    assertThat(written()).isEqualTo(7);
  }

  private long written() {
    return stores.counts().sum("orders", 0, Long.MAX_VALUE).get(Of.STARTED);
  }
}
