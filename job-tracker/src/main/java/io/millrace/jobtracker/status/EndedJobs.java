package io.millrace.jobtracker.status;

import io.millrace.api.JobHandle;
import io.millrace.api.JobStatus;
import io.millrace.api.TriggerResult;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.store.Stores;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads ends from the ledger, and what the jobs returned: one more read, for those that succeeded.
 * Stateless.
 */
final class EndedJobs {
  /**
   * The bytes of results in one answer, far below the largest frame; one result may exceed them.
   */
  static final int MAX_RESULT_BYTES = 1 << 20;

  private final Stores stores;
  private final Clock clock;

  EndedJobs(Stores stores, Clock clock) {
    this.stores = stores;
    this.clock = clock;
  }

  /** The rows of those of these submits that have ended. One read, by the index. */
  List<LedgerEntry> find(Collection<JobHandle> handles) {
    Map<String, JobHandle> byId = new HashMap<>();
    handles.forEach(handle -> byId.put(handle.submissionId(), handle));
    return stores.ledger().findEnds(byId.keySet()).stream()
        .filter(row -> isAbout(row, byId.get(row.origin().submissionId())))
        .toList();
  }

  static boolean isAbout(LedgerEntry row, @Nullable JobHandle handle) {
    return handle != null
        && row.nodeGroup().equals(handle.nodeGroup())
        && row.key().taskId().equals(handle.taskId());
  }

  /**
   * The status of submits that have ended. Reads the results of all of them: the caller bounds
   * their number.
   */
  List<JobStatus> answers(List<LedgerEntry> rows) {
    Map<Long, String> results = resultsOf(rows);
    long now = clock.millis();
    return rows.stream().map(row -> StatusAnswers.ended(row, results.get(row.id()), now)).toList();
  }

  /** As {@link #answers}, without those at the end whose results exceed the bytes of an answer. */
  List<JobStatus> someAnswers(List<LedgerEntry> rows) {
    List<JobStatus> answers = answers(rows);
    long bytes = 0;
    int count = 0;
    for (JobStatus answer : answers) {
      bytes += bytesOf(answer.lastEnd());
      if (count > 0 && bytes > MAX_RESULT_BYTES) {
        break;
      }
      count++;
    }
    return answers.subList(0, count);
  }

  private static int bytesOf(@Nullable TriggerResult end) {
    String result = end == null ? null : end.result();
    return result == null ? 0 : result.getBytes(StandardCharsets.UTF_8).length;
  }

  /** The end that the first of these rows tells of, if one does. */
  @Nullable TriggerResult firstEnd(List<LedgerEntry> rows) {
    for (LedgerEntry row : rows) {
      if (row.status().isFinal()) {
        return row.result(resultsOf(List.of(row)).get(row.id()));
      }
    }
    return null;
  }

  private Map<Long, String> resultsOf(List<LedgerEntry> rows) {
    List<Long> succeeded =
        rows.stream()
            .filter(row -> row.status() == LedgerStatus.SUCCEEDED)
            .map(LedgerEntry::id)
            .toList();
    return succeeded.isEmpty() ? Map.of() : stores.results().find(succeeded);
  }
}
