package io.millrace.jobtracker.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.store.console.Counts;
import io.millrace.jobtracker.store.console.Counts.Of;
import io.millrace.jobtracker.store.console.MinuteCountStore;
import io.millrace.jobtracker.store.console.MinuteCountStore.MinuteCount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MinuteReportTest {
  private static final long MINUTE = MinuteCountStore.MINUTE;

  private final List<MinuteCount> added = new ArrayList<>();
  private final Map<String, Counts> counted = new HashMap<>();
  private boolean failing;
  private final MinuteReport report = new MinuteReport(new Store(), 3, () -> Map.copyOf(counted));

  /** Keeps what it is given, or fails. */
  private final class Store implements MinuteCountStore {
    @Override
    public void add(int tracker, List<MinuteCount> minutes) {
      if (failing) {
        throw new IllegalStateException("the store is away");
      }
      assertThat(tracker).isEqualTo(3);
      added.addAll(minutes);
    }

    @Override
    public List<MinuteCount> minutes(String nodeGroup, long from, long to) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Counts sum(String nodeGroup, long from, long to) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int moveToHours(long before, int limit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<HourCount> hours(String nodeGroup, long from, long to) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int deleteHoursBefore(long before, int limit) {
      throw new UnsupportedOperationException();
    }
  }

  private static Counts counts(long started, long lateMax) {
    return new Counts(Map.of(Of.STARTED, started, Of.LATE_MAX, lateMax));
  }

  @Test
  void whatCameSinceIsAddedForEachGroupAndForAllTogether() {
    counted.put("orders", counts(5, 80));
    counted.put("bills", counts(2, 90));
    report.runOnce(7 * MINUTE + 59_999);

    assertThat(added)
        .containsExactlyInAnyOrder(
            new MinuteCount("orders", 7 * MINUTE, counts(5, 80)),
            new MinuteCount("bills", 7 * MINUTE, counts(2, 90)),
            new MinuteCount(MinuteCountStore.ALL_GROUPS, 7 * MINUTE, counts(7, 90)));

    added.clear();
    counted.put("orders", counts(9, 10));
    counted.put("bills", counts(2, 0));
    report.runOnce(8 * MINUTE);

    assertThat(added)
        .containsExactlyInAnyOrder(
            new MinuteCount("orders", 8 * MINUTE, counts(4, 10)),
            new MinuteCount(MinuteCountStore.ALL_GROUPS, 8 * MINUTE, counts(4, 10)));
  }

  @Test
  void nothingNewIsNotWritten() {
    counted.put("orders", counts(5, 80));
    report.runOnce(MINUTE);
    added.clear();

    counted.put("orders", counts(5, 0));
    report.runOnce(2 * MINUTE);

    assertThat(added).isEmpty();
  }

  @Test
  void whatCouldNotBeWrittenGoesWithTheNextRunMaximaToo() {
    counted.put("orders", counts(5, 80));
    failing = true;
    assertThatThrownBy(() -> report.runOnce(MINUTE)).hasMessage("the store is away");
    failing = false;

    counted.put("orders", counts(6, 20));
    report.runOnce(2 * MINUTE);

    assertThat(added).contains(new MinuteCount("orders", 2 * MINUTE, counts(6, 80)));
    added.clear();
    counted.put("orders", counts(7, 10));
    report.runOnce(2 * MINUTE);
    assertThat(added).contains(new MinuteCount("orders", 2 * MINUTE, counts(1, 10)));
  }
}
