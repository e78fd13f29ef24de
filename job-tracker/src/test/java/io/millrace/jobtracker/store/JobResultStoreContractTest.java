package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.nextId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.result.JobResult;
import io.millrace.jobtracker.store.result.JobResultStore;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobResultStoreContractTest extends StoreContract {
  private JobResultStore results;

  @BeforeEach
  void open() {
    results = stores.results();
  }

  @Test
  void resultComesBackAsItWasAppendedHoweverLargeItIs() {
    JobResult none = new JobResult(nextId(), 1, "null");
    JobResult wide = new JobResult(nextId(), 2, "\"🌾\\u0000 ü\"");
    JobResult large = new JobResult(nextId(), 3, "\"" + "ü".repeat(32_767) + "\"");

    results.append(List.of(none, wide, large));

    assertThat(results.find(List.of(none.executionId(), wide.executionId(), large.executionId())))
        .isEqualTo(
            Map.of(
                none.executionId(), none.json(),
                wide.executionId(), wide.json(),
                large.executionId(), large.json()));
    assertThat(results.sizes(List.of(wide.executionId(), large.executionId(), nextId())))
        .isEqualTo(Map.of(wide.executionId(), wide.bytes(), large.executionId(), 65_536));
    assertThat(results.find(List.of())).isEmpty();
  }

  @Test
  void executionHasOneResult() {
    JobResult result = new JobResult(nextId(), 1, "1");
    results.append(List.of(result));

    assertThatThrownBy(() -> results.append(List.of(result)))
        .isInstanceOf(DuplicateKeyException.class);
  }

  @Test
  void batchOfLargeResultsIsStoredWhole() {
    String large = "\"" + "x".repeat(60_000) + "\"";
    List<JobResult> batch =
        IntStream.range(0, 300).mapToObj(i -> new JobResult(nextId(), i, large)).toList();

    stores.transactions().run("append", () -> results.append(batch));

    assertThat(results.sizes(batch.stream().map(JobResult::executionId).toList())).hasSize(300);
    assertThat(results.delete(batch.stream().map(JobResult::executionId).toList())).isEqualTo(300);
  }

  @Test
  void oldOnesAreFoundInOrderOfTheirIdsAndDeleted() {
    long first = nextId();
    long endedLate = nextId();
    long second = nextId();
    long above = nextId();
    results.append(
        List.of(
            new JobResult(second, 50, "2"),
            new JobResult(first, 10, "1"),
            new JobResult(endedLate, 100, "3"),
            new JobResult(above, 10, "4")));

    assertThat(results.findEndedBefore(above, 100, 10)).containsSubsequence(first, second);
    assertThat(results.findEndedBefore(above, 100, 10)).doesNotContain(endedLate, above);
    assertThat(results.findEndedBefore(above, 100, 1)).hasSize(1);
    assertThat(results.delete(List.of(first, second, nextId()))).isEqualTo(2);
    assertThat(results.find(List.of(first, endedLate))).containsOnlyKeys(endedLate);
  }
}
