package io.millrace.jobtracker.race;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.jobtracker.domain.job.JobVersion;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.store.EveryDatabase;
import io.millrace.jobtracker.store.Racer;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** What two trackers record of one job that both change. */
@ParameterizedClass(name = "{0}")
@EveryDatabase
class JobVersionRacesTest {
  private static final int ROUNDS = 15;

  @Parameter TestDatabase.Kind kind;

  private TestDatabase database;
  private Stores stores;
  private HandDrivenTracker one;
  private HandDrivenTracker other;

  @BeforeEach
  void openTrackers() {
    database = kind.open();
    stores = database.stores();
    other = new HandDrivenTracker(2, database.anotherTracker(), new HandTime());
    one = new HandDrivenTracker(1, stores, new HandTime());
  }

  @AfterEach
  void closeDatabase() {
    database.close();
  }

  private static Job each(int minutes) {
    return job("raced").every(Duration.ofMinutes(minutes)).replaceExisting(true).build();
  }

  @Test
  void eachVersionIsRecordedOnce() {
    try (Racer racer = new Racer()) {
      for (int round = 0; round < ROUNDS; round++) {
        int minutes = 1 + 2 * round;
        assertThat(
                racer.together(
                    List.<Callable<Boolean>>of(
                        () -> one.submit(each(minutes)).isStored(),
                        () -> other.submit(each(minutes + 1)).isStored())))
            .containsOnly(true);
      }
    }

    long id = stores.jobs().find(GROUP, "raced").orElseThrow().id();
    List<JobVersion> versions = stores.versions().list(id, Integer.MAX_VALUE, 1_000);
    assertThat(versions)
        .extracting(JobVersion::version)
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, 2 * ROUNDS).mapToObj(i -> 2 * ROUNDS + 1 - i).toList());
    assertThat(versions)
        .extracting(version -> version.definition().schedule())
        .doesNotHaveDuplicates();
  }
}
