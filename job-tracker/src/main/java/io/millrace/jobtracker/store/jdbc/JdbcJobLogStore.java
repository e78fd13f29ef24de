package io.millrace.jobtracker.store.jdbc;

import io.millrace.internal.model.LogLevel;
import io.millrace.internal.protocol.LogLine;
import io.millrace.jobtracker.store.JobLogStore;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.row.JobLogSearch;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The table {@code jt_job_log}. */
final class JdbcJobLogStore implements JobLogStore {
  private static final RowColumns<LogLine> COLUMNS =
      RowColumns.<LogLine>of()
          .number("execution_id", LogLine::executionId)
          .number("sequence_no", LogLine::sequence)
          .number("logged_at", line -> line.at().toEpochMilli())
          .name("level", LogLine::level)
          .text("line", LogLine.MAX_TEXT_CHARS, LogLine::text);
  private static final List<String> KEY = List.of("execution_id", "sequence_no");
  private static final String SELECT = "SELECT " + COLUMNS.list() + " FROM jt_job_log ";
  private static final int MAX_ATTEMPTS = 5;
  private static final Comparator<LogLine> BY_KEY =
      Comparator.comparingLong(LogLine::executionId).thenComparingInt(LogLine::sequence);

  private final Database database;
  private final JobLogSearch search;
  private final RowInsert<LogLine> insert;

  JdbcJobLogStore(Database database) {
    this.database = database;
    this.search = new JobLogSearch(database, SELECT, JdbcJobLogStore::read);
    this.insert =
        new RowInsert<>(
            rows -> database.dialect().insertUnlessExists("jt_job_log", COLUMNS.names(), KEY, rows),
            COLUMNS,
            line -> line.text().length());
  }

  @Override
  public int append(List<LogLine> lines) {
    TreeSet<LogLine> distinct = new TreeSet<>(BY_KEY);
    distinct.addAll(lines);
    insert(List.copyOf(distinct));
    return lines.size();
  }

  /**
   * On H2, a line that a concurrent resend is committing causes a duplicate-key error instead of
   * counting as existing; a repeated statement sees the line.
   */
  private void insert(List<LogLine> lines) {
    for (int attempt = 1; ; attempt++) {
      try {
        database.insert("append " + lines.size() + " lines of job logs", insert, lines);
        return;
      } catch (DuplicateKeyException e) {
        if (attempt == MAX_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  @Override
  public List<LogLine> read(long executionId, int aboveSequence, int limit) {
    return database.list(
        "read the log of execution " + executionId,
        SELECT
            + """
            WHERE execution_id = :executionId AND sequence_no > :aboveSequence
            ORDER BY execution_id, sequence_no
            LIMIT :limit""",
        Map.of("executionId", executionId, "aboveSequence", aboveSequence, "limit", limit),
        JdbcJobLogStore::read);
  }

  @Override
  public Found searchAfter(
      long executionId, int aboveSequence, Filter filter, int limit, int lookAt) {
    return search.run(
        JobLogSearch.Direction.AFTER, executionId, aboveSequence, filter, limit, lookAt);
  }

  @Override
  public Found searchBefore(
      long executionId, int belowSequence, Filter filter, int limit, int lookAt) {
    return search.run(
        JobLogSearch.Direction.BEFORE, executionId, belowSequence, filter, limit, lookAt);
  }

  @Override
  public Map<Long, Long> bytesOf(Set<Long> executionIds) {
    return database.map(
        "count the bytes of the logs of " + executionIds.size() + " executions",
        """
        SELECT execution_id, SUM(OCTET_LENGTH(line)) AS bytes FROM jt_job_log
        WHERE execution_id IN (:executionIds) GROUP BY execution_id""",
        Map.of("executionIds", executionIds),
        (row, number) -> Map.entry(row.getLong("execution_id"), row.getLong("bytes")));
  }

  @Override
  public int deleteBelow(long belowExecutionId, int limit) {
    String sql =
        database.dialect().deleteFirst("jt_job_log", "execution_id < :belowExecutionId", KEY);
    return database.update(
        "delete lines of executions below " + belowExecutionId,
        sql,
        Map.of("belowExecutionId", belowExecutionId, "limit", limit));
  }

  private static LogLine read(ResultSet row, int rowNumber) throws SQLException {
    return new LogLine(
        row.getLong("execution_id"),
        row.getInt("sequence_no"),
        Instant.ofEpochMilli(row.getLong("logged_at")),
        LogLevel.valueOf(row.getString("level")),
        row.getString("line"));
  }
}
