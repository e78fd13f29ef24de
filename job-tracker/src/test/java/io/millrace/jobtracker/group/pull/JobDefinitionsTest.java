package io.millrace.jobtracker.group.pull;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.store.JobStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class JobDefinitionsTest {
  private static final int LARGE = 1_000_000;

  private final List<Long> reads = new ArrayList<>();
  private int storedVersion = 1;
  private int paramsBytes;

  @Test
  void definitionIsReadOnceForEachVersion() {
    JobDefinitions definitions = new JobDefinitions(store());
    for (int i = 0; i < 5; i++) {
      assertThat(definitions.find(7, 1)).isPresent();
    }
    assertThat(reads).hasSize(1);

    storedVersion = 2;
    assertThat(definitions.find(7, 2)).isPresent();
    assertThat(definitions.find(7, 1)).as("still known, and never out of date").isPresent();
    assertThat(definitions.find(8, 1)).as("it has moved on").isEmpty();
    assertThat(reads).containsExactly(7L, 7L, 8L);
  }

  /** Every second they come round: a cache of the latest that held fewer would find none. */
  @Test
  void fiftyThousandJobsThatTakeTurnsAreReadOnceEach() {
    JobDefinitions definitions = new JobDefinitions(store());
    for (int round = 0; round < 3; round++) {
      LongStream.range(0, 50_000).forEach(id -> assertThat(definitions.find(id, 1)).isPresent());
    }

    assertThat(reads).hasSize(50_000);
  }

  @Test
  void definitionWithTheLargestParametersIsReadOnceToo() {
    paramsBytes = LARGE;
    JobDefinitions definitions = new JobDefinitions(store());
    definitions.find(1, 1);
    definitions.find(1, 1);

    assertThat(reads).hasSize(1);
  }

  @Test
  void bytesAreBoundedAndWhatWasNotAskedForLongestGoesFirst() {
    paramsBytes = LARGE;
    JobDefinitions definitions =
        new JobDefinitions(store(), 3L * (JobDefinitions.DEFINITION_BYTES + 2 * LARGE));
    LongStream.of(1, 2, 3, 1, 4).forEach(id -> assertThat(definitions.find(id, 1)).isPresent());
    reads.clear();

    LongStream.of(1, 3, 4).forEach(id -> assertThat(definitions.find(id, 1)).isPresent());
    assertThat(reads).isEmpty();
    assertThat(definitions.find(2, 1)).isPresent();
    assertThat(reads).containsExactly(2L);
  }

  /** It is used all the same. */
  @Test
  void definitionThatIsLargerThanAllThatMayBeKeptIsNotKept() {
    paramsBytes = LARGE;
    JobDefinitions definitions = new JobDefinitions(store(), LARGE);

    assertThat(definitions.find(1, 1)).isPresent();
    assertThat(definitions.find(1, 1)).isPresent();

    assertThat(reads).hasSize(2);
  }

  private JobStore store() {
    return (JobStore)
        Proxy.newProxyInstance(
            JobStore.class.getClassLoader(),
            new Class<?>[] {JobStore.class},
            (proxy, method, arguments) -> {
              reads.add((Long) arguments[0]);
              return Optional.of(job((Long) arguments[0]));
            });
  }

  private JobDefinition job(long id) {
    return new JobDefinition(
        id,
        "orders",
        "job-" + id,
        storedVersion,
        JobState.ACTIVE,
        new Schedule.Repeat(Duration.ofSeconds(1), null, null),
        SampleTriggers.SPEC,
        paramsBytes == 0 ? StoredParams.NONE : new StoredParams(paramsBytes, "{}"),
        100,
        0,
        0,
        null,
        0,
        false);
  }
}
