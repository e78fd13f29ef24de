package io.millrace.jobtracker.store.jdbc.row;

import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.store.LedgerStore.RunEnd;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Reads the ends of the latest runs of many jobs: one range of the index on jobs for each of them,
 * in one statement. It bounds the rows of each job before it filters them, so that a job that is
 * retried or postponed very often costs no more than others.
 */
public final class LatestEnds {
  private static final String COLUMNS =
      "id, job_id, status, attempt, planned_for, due_at, started_at, finished_at";

  /** ORDER BY names the equality column too: H2 would sort all rows of the job otherwise. */
  private static final String OF_JOB =
      """
      (SELECT %1$s FROM (
        SELECT %1$s, is_final FROM jt_history WHERE job_id = :job%2$d
        ORDER BY job_id DESC, planned_for DESC, id DESC LIMIT :lookAt) AS looked_at
      WHERE is_final ORDER BY planned_for DESC, id DESC LIMIT :limit)""";

  /** Jobs in one statement: as many as a usual page has, and few enough for its text. */
  private static final int JOBS_AT_ONCE = 100;

  private static final Comparator<RunEnd> LATEST_FIRST =
      Comparator.comparingLong(RunEnd::plannedFor).thenComparingLong(RunEnd::id).reversed();

  private final Database database;

  public LatestEnds(Database database) {
    this.database = database;
  }

  /**
   * Most jobs have as many ends as are wanted among as many rows. Only those that have fewer, since
   * they were retried or have not run so often, are looked at further.
   */
  public Map<Long, List<RunEnd>> find(Collection<Long> jobIds, int limit, int lookAt) {
    List<Long> jobs = jobIds.stream().distinct().toList();
    Map<Long, List<RunEnd>> ends = readAll(jobs, limit, Math.min(limit, lookAt));
    if (lookAt > limit) {
      List<Long> others =
          jobs.stream().filter(job -> ends.getOrDefault(job, List.of()).size() < limit).toList();
      ends.putAll(readAll(others, limit, lookAt));
    }
    return ends;
  }

  private Map<Long, List<RunEnd>> readAll(List<Long> jobs, int limit, int lookAt) {
    List<RunEnd> ends = new ArrayList<>();
    for (int from = 0; from < jobs.size(); from += JOBS_AT_ONCE) {
      int to = Math.min(jobs.size(), from + JOBS_AT_ONCE);
      ends.addAll(read(jobs.subList(from, to), limit, lookAt));
    }
    ends.sort(LATEST_FIRST); // UNION ALL promises no order
    return ends.stream().collect(Collectors.groupingBy(RunEnd::jobId));
  }

  private List<RunEnd> read(List<Long> jobs, int limit, int lookAt) {
    String sql =
        IntStream.range(0, jobs.size())
            .mapToObj(i -> OF_JOB.formatted(COLUMNS, i))
            .collect(Collectors.joining("\nUNION ALL\n"));
    Map<String, Object> values = new HashMap<>(Map.of("limit", limit, "lookAt", lookAt));
    IntStream.range(0, jobs.size()).forEach(i -> values.put("job" + i, jobs.get(i)));
    return database.list(
        "read the latest ends of " + jobs.size() + " jobs", sql, values, LatestEnds::end);
  }

  private static RunEnd end(ResultSet row, int rowNumber) throws SQLException {
    return new RunEnd(
        row.getLong("id"),
        row.getLong("job_id"),
        LedgerStatus.valueOf(row.getString("status")),
        row.getInt("attempt"),
        row.getLong("planned_for"),
        row.getLong("due_at"),
        Columns.readLongOrNull(row, "started_at"),
        row.getLong("finished_at"));
  }
}
