package io.millrace.benchmarks.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import io.millrace.benchmarks.database.DatabaseKind;
import io.millrace.benchmarks.database.Databases;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerCopiesTest {
  private static final Rows ROWS = new Rows(60, 10, 3_000);

  @Test
  @Tag("long")
  void ledgerHasTheRowsThatWereAskedForAtEarlierTimes(@TempDir Path directory) throws Exception {
    try (Databases databases = DatabaseKind.H2.start(directory);
        FilledTracker tracker = FilledTracker.fill(databases.fresh(), ROWS, 2, progress -> {})) {
      // Some jobs run each minute meanwhile.
      assertThat(count(tracker, "/api/v1/history/count")).isBetween(3_000L, 3_200L);
      assertThat(count(tracker, "/api/v1/triggers/pages/one-shots/count")).isEqualTo(5);

      JSONArray runs =
          JSON.parseObject(tracker.get("/api/v1/history?group=pages&task=daily-0&limit=50"))
              .getJSONArray("items");
      assertThat(runs.stream().map(run -> ((JSONObject) run).getInstant("finishedAt")))
          .isSortedAccordingTo((one, other) -> other.compareTo(one))
          .anyMatch(at -> at.isBefore(Instant.now().minus(Duration.ofMinutes(9))));
    }
  }

  private static long count(FilledTracker tracker, String path) throws Exception {
    return JSON.parseObject(tracker.get(path)).getLongValue("count");
  }
}
