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
 * in one statement. The rows of each job are bounded, so that a job that is retried or postponed
 * very often costs no more than others.
 */
public final class LatestEnds {
  /** ORDER BY names the equality column too: H2 would sort all rows of the job otherwise. */
  private static final String OF_JOB =
      """
      (SELECT id, job_id, status, attempt, planned_for, due_at, started_at, finished_at, is_final
      FROM jt_history WHERE job_id = :job%d
      ORDER BY job_id DESC, planned_for DESC, id DESC LIMIT :lookAt)""";

  /** Jobs in one statement: as many as a usual page has, and few enough for its text. */
  private static final int JOBS_AT_ONCE = 100;

  private static final Comparator<RunEnd> LATEST_FIRST =
      Comparator.comparingLong(RunEnd::plannedFor).thenComparingLong(RunEnd::id).reversed();

  private final Database database;

  public LatestEnds(Database database) {
    this.database = database;
  }

  /** A row of the ledger, and whether it is an end: after other rows another attempt waits. */
  private record Row(RunEnd end, boolean isFinal) {}

  /**
   * Most jobs have as many ends as are wanted among as many rows. Only those that have more rows,
   * and fewer ends among them, are looked at further.
   */
  public Map<Long, List<RunEnd>> find(Collection<Long> jobIds, int limit, int lookAt) {
    Map<Long, List<Row>> rows =
        readAll(jobIds.stream().distinct().toList(), Math.min(limit, lookAt));
    if (lookAt > limit) {
      List<Long> retried =
          rows.entrySet().stream()
              .filter(job -> job.getValue().size() == limit)
              .filter(job -> !job.getValue().stream().allMatch(Row::isFinal))
              .map(Map.Entry::getKey)
              .toList();
      rows.putAll(readAll(retried, lookAt));
    }
    Map<Long, List<RunEnd>> ends = new HashMap<>();
    rows.forEach(
        (job, ofJob) -> {
          List<RunEnd> latest =
              ofJob.stream()
                  .filter(Row::isFinal)
                  .map(Row::end)
                  .sorted(LATEST_FIRST) // UNION ALL promises no order
                  .limit(limit)
                  .toList();
          if (!latest.isEmpty()) {
            ends.put(job, latest);
          }
        });
    return ends;
  }

  private Map<Long, List<Row>> readAll(List<Long> jobs, int lookAt) {
    List<Row> rows = new ArrayList<>();
    for (int from = 0; from < jobs.size(); from += JOBS_AT_ONCE) {
      int to = Math.min(jobs.size(), from + JOBS_AT_ONCE);
      rows.addAll(read(jobs.subList(from, to), lookAt));
    }
    return rows.stream().collect(Collectors.groupingBy(row -> row.end().jobId()));
  }

  private List<Row> read(List<Long> jobs, int lookAt) {
    String sql =
        IntStream.range(0, jobs.size())
            .mapToObj(OF_JOB::formatted)
            .collect(Collectors.joining("\nUNION ALL\n"));
    Map<String, Object> values = new HashMap<>(Map.of("lookAt", lookAt));
    IntStream.range(0, jobs.size()).forEach(i -> values.put("job" + i, jobs.get(i)));
    return database.list(
        "read the latest ends of " + jobs.size() + " jobs",
        sql,
        values,
        (row, number) -> new Row(end(row), row.getBoolean("is_final")));
  }

  private static RunEnd end(ResultSet row) throws SQLException {
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
