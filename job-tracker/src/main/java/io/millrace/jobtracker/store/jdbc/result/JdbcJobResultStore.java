package io.millrace.jobtracker.store.jdbc.result;

import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.row.RowsById;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import io.millrace.jobtracker.store.result.JobResult;
import io.millrace.jobtracker.store.result.JobResultStore;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The table {@code jt_result}. */
public final class JdbcJobResultStore implements JobResultStore {
  private static final RowColumns<JobResult> COLUMNS =
      RowColumns.<JobResult>of()
          .number("id", JobResult::executionId)
          .number("ended_at", JobResult::endedAt)
          .number("result_bytes", JobResult::bytes)
          .text("result", JobResult::json);

  private final Database database;
  private final RowsById byId;
  private final RowInsert<JobResult> insert =
      RowInsert.into("jt_result", COLUMNS, result -> 3 * result.json().length());

  public JdbcJobResultStore(Database database) {
    this.database = database;
    this.byId = new RowsById(database, "jt_result");
  }

  @Override
  public void append(List<JobResult> results) {
    database.insert("append " + results.size() + " results", insert, results);
  }

  @Override
  public Map<Long, String> find(Collection<Long> executionIds) {
    return byId
        .find(
            executionIds,
            "id, result",
            (row, number) -> Map.entry(row.getLong("id"), row.getString("result")))
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  @Override
  public Map<Long, Integer> sizes(Collection<Long> executionIds) {
    return byId
        .find(
            executionIds,
            "id, result_bytes",
            (row, number) -> Map.entry(row.getLong("id"), row.getInt("result_bytes")))
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  @Override
  public List<Long> findEndedBefore(long belowExecutionId, long endedBefore, int limit) {
    return database.list(
        "find results that ended before " + endedBefore,
        """
        SELECT id FROM jt_result %s
        WHERE id < :belowId AND ended_at < :endedBefore
        ORDER BY id LIMIT :limit"""
            .formatted(database.dialect().keyIndexHint()),
        Map.of("belowId", belowExecutionId, "endedBefore", endedBefore, "limit", limit),
        (row, number) -> row.getLong("id"));
  }

  @Override
  public int delete(Collection<Long> executionIds) {
    return byId.delete(executionIds);
  }
}
