package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.domain.trigger.LedgerRow;
import io.millrace.jobtracker.store.LedgerStore;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The table {@code jt_history}. */
final class JdbcLedgerStore implements LedgerStore {
  private static final String SELECT =
      "SELECT " + String.join(", ", HistoryRow.COLUMNS) + " FROM jt_history ";

  private final Database database;
  private final RowInsert<LedgerRow> insert =
      RowInsert.into("jt_history", HistoryRow.COLUMNS, HistoryRow::bind, row -> 0);

  JdbcLedgerStore(Database database) {
    this.database = database;
  }

  @Override
  public void append(List<LedgerRow> rows) {
    database.run(
        "append " + rows.size() + " rows to the ledger",
        () -> insert.insert(database.jdbc(), rows));
  }

  @Override
  public List<LedgerRow> find(Collection<Long> ids) {
    return database.call(
        "find " + ids.size() + " rows of the ledger",
        () ->
            InLists.of(ids).stream()
                .flatMap(
                    list ->
                        database
                            .sql(SELECT + "WHERE id IN (:ids)")
                            .param("ids", list)
                            .query(HistoryRow::read)
                            .stream())
                .toList());
  }

  @Override
  public Set<String> knownSubmissions(Collection<String> submissionIds) {
    String sql =
        "SELECT DISTINCT submission_id FROM jt_history WHERE submission_id IN (:submissionIds)";
    return database.call(
        "look up " + submissionIds.size() + " submissions in the ledger",
        () -> {
          Set<String> known = new HashSet<>();
          for (List<String> list : InLists.of(submissionIds)) {
            known.addAll(database.sql(sql).param("submissionIds", list).query(String.class).set());
          }
          return known;
        });
  }

  @Override
  public Optional<LedgerRow> findBySubmission(String submissionId) {
    return database.call(
        "find a row of submission " + submissionId + " in the ledger",
        () ->
            database
                .sql(SELECT + "WHERE submission_id = :submissionId LIMIT 1")
                .param("submissionId", submissionId)
                .query(HistoryRow::read)
                .optional());
  }

  /** One step back in the index: ORDER BY names all its columns, or H2 would sort. */
  @Override
  public OptionalLong latestPlanned(long jobId, long until) {
    String sql =
        """
        SELECT planned_to FROM jt_history
        WHERE job_id = :jobId AND planned_for <= :until AND ordinal = 0
        ORDER BY job_id DESC, planned_for DESC, id DESC
        LIMIT 1""";
    return database.call(
        "find the latest planned instant of job " + jobId,
        () ->
            database.sql(sql).param("jobId", jobId).param("until", until).query(Long.class).stream()
                .mapToLong(Long::longValue)
                .findFirst());
  }

  @Override
  public List<LedgerRow> readAfter(long aboveId, int limit) {
    return database.call(
        "read the ledger after " + aboveId,
        () ->
            database
                .sql(SELECT + "WHERE id > :aboveId ORDER BY id LIMIT :limit")
                .param("aboveId", aboveId)
                .param("limit", limit)
                .query(HistoryRow::read)
                .list());
  }

  @Override
  public List<LedgerRow> findByJob(long jobId) {
    return database.call(
        "read the ledger of job " + jobId,
        () ->
            database
                .sql(SELECT + "WHERE job_id = :jobId ORDER BY job_id, planned_for, id")
                .param("jobId", jobId)
                .query(HistoryRow::read)
                .list());
  }
}
