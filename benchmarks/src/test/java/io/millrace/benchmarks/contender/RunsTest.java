package io.millrace.benchmarks.contender;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RunsTest {

  @Test
  void aJobTellsItsNumberAndItsDueTimeByItsParameters() {
    BenchJob job = new BenchJob(123_456, 1_763_000_000_123L);

    assertThat(BenchJob.of(job.payload())).isEqualTo(job);
    assertThat(job.payload().getBytes(StandardCharsets.UTF_8)).hasSize(BenchJob.PAYLOAD_CHARS);
  }

  @Test
  void whatRunsTwiceIsCountedAsRepeated() {
    Runs.begin(3);
    Runs.ran(new BenchJob(0, 1_000).payload());
    Runs.ran(new BenchJob(2, 1_000).payload());
    Runs.ran(new BenchJob(2, 1_000).payload());

    assertThat(Runs.current().executed()).isEqualTo(3);
    assertThat(Runs.current().repeated()).isEqualTo(1);
    assertThat(Runs.current().lateMicros(0, 3)).hasSize(2).isSorted();
  }

  @Test
  void latenessCountsFromTheDueTimeOfEachJob() {
    Runs.begin(2);
    Runs.ran(new BenchJob(0, 5_000).payload());
    Runs.ran(new BenchJob(1, 1_000).payload());

    long[] late = Runs.current().lateMicros(0, 2);

    assertThat(late[1] - late[0]).isGreaterThanOrEqualTo(4_000_000);
    assertThat(Runs.current().lateMicros(1, 2)).containsExactly(late[1]);
  }

  @Test
  void whatRunsOfAnEarlierRoundIsForgotten() {
    Runs.begin(1);
    Runs.ran(new BenchJob(0, 1_000).payload());
    Runs.begin(1);

    assertThat(Runs.current().executed()).isZero();
    assertThat(Runs.current().firstMicros()).isEqualTo(Long.MAX_VALUE);
  }
}
