package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.store.LedgerStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.row.LatestEnds;
import io.millrace.jobtracker.store.jdbc.row.LedgerRowMapper;
import io.millrace.jobtracker.store.jdbc.row.LedgerSearch;
import io.millrace.jobtracker.store.jdbc.row.RowsById;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The table {@code jt_history}. */
final class JdbcLedgerStore implements LedgerStore {
  private static final String SELECT =
      "SELECT " + LedgerRowMapper.COLUMNS.list() + " FROM jt_history ";

  /** The number of rows that one statement of a search reads: takes a fraction of a second. */
  private static final long SEARCH_PAGE = 10_000;

  private final Database database;
  private final RowsById byId;
  private final LedgerSearch search;
  private final LatestEnds latestEnds;
  private final RowInsert<LedgerEntry> insert =
      RowInsert.into("jt_history", LedgerRowMapper.COLUMNS, row -> 0);

  JdbcLedgerStore(Database database) {
    this.database = database;
    this.byId = new RowsById(database, "jt_history");
    this.search = new LedgerSearch(database, this::find);
    this.latestEnds = new LatestEnds(database);
  }

  @Override
  public void append(List<LedgerEntry> rows) {
    database.run(
        "append " + rows.size() + " rows to the ledger",
        () -> {
          insert.insert(database.jdbc(), rows);
          database.written().ended(rows);
        });
  }

  @Override
  public List<LedgerEntry> find(Collection<Long> ids) {
    return byId.find(ids, LedgerRowMapper.COLUMNS.list(), LedgerRowMapper::read);
  }

  @Override
  public Map<Long, String> beginningsOfMessages(Collection<Long> ids, int chars) {
    return database
        .listByIds(
            "read the beginnings of " + ids.size() + " messages",
            """
            SELECT id, LEFT(message, :chars) AS message FROM jt_history
            WHERE id IN (:ids) AND message IS NOT NULL""",
            ids,
            Map.of("chars", chars),
            (row, number) -> Map.entry(row.getLong("id"), row.getString("message")))
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  @Override
  public Map<String, Set<SubmittedAs>> knownSubmissions(Collection<String> submissionIds) {
    String sql =
        """
        SELECT DISTINCT submission_id, node_group, task_id,
          CASE WHEN ordinal > 0 THEN 'EXTRA_RUN'
            WHEN job_version = 0 THEN 'ONE_SHOT'
            ELSE 'RECURRING_JOB' END AS asked
        FROM jt_history %s WHERE submission_id IN (:ids)"""
            .formatted(database.dialect().indexHint("ix_history_submission"));
    return database
        .listByIds(
            "look up " + submissionIds.size() + " submissions in the ledger",
            sql,
            submissionIds,
            Map.of(),
            (row, number) -> Map.entry(row.getString("submission_id"), readSubmittedAs(row)))
        .stream()
        .collect(
            Collectors.groupingBy(
                Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toSet())));
  }

  private static SubmittedAs readSubmittedAs(ResultSet row) throws SQLException {
    return new SubmittedAs(
        row.getString("node_group"),
        row.getString("task_id"),
        Asked.valueOf(row.getString("asked")));
  }

  @Override
  public Optional<LedgerEntry> findBySubmission(String submissionId) {
    return database.find(
        "find a row of submission " + submissionId + " in the ledger",
        SELECT + "WHERE submission_id = :submissionId LIMIT 1",
        Map.of("submissionId", submissionId),
        LedgerRowMapper::read);
  }

  @Override
  public List<LedgerEntry> findEnds(Collection<String> submissionIds) {
    String sql =
        "SELECT %s FROM jt_history %s "
                .formatted(
                    LedgerRowMapper.COLUMNS.list(),
                    database.dialect().indexHint("ix_history_submission"))
            + """
            WHERE submission_id IN (:ids) AND is_final
              AND (job_version = 0 OR ordinal > 0)""";
    return database.listByIds(
        "find the ends of " + submissionIds.size() + " submissions in the ledger",
        sql,
        submissionIds,
        Map.of(),
        LedgerRowMapper::read);
  }

  /** One step back in the index. ORDER BY names all its columns: H2 would sort otherwise. */
  @Override
  public OptionalLong latestPlanned(long jobId, long until) {
    String sql =
        """
        SELECT planned_to FROM jt_history
        WHERE job_id = :jobId AND planned_for <= :until AND ordinal = 0
        ORDER BY job_id DESC, planned_for DESC, id DESC
        LIMIT 1""";
    return orEmpty(
        database.find(
            "find the latest planned instant of job " + jobId,
            sql,
            Map.of("jobId", jobId, "until", until),
            Long.class));
  }

  private static OptionalLong orEmpty(Optional<Long> value) {
    return value.map(OptionalLong::of).orElseGet(OptionalLong::empty);
  }

  @Override
  public List<LedgerEntry> readAfter(long aboveId, int limit) {
    return database.list(
        "read the ledger after " + aboveId,
        SELECT + "WHERE id > :aboveId ORDER BY id LIMIT :limit",
        Map.of("aboveId", aboveId, "limit", limit),
        LedgerRowMapper::read);
  }

  @Override
  public List<Ended> readEnds(long aboveId, long belowId, int limit) {
    return database.list(
        "read ends of the ledger from " + aboveId + " to " + belowId,
        """
        SELECT id, finished_at FROM jt_history %s
        WHERE id > :aboveId AND id < :belowId ORDER BY id LIMIT :limit"""
            .formatted(database.dialect().keyIndexHint()),
        Map.of("aboveId", aboveId, "belowId", belowId, "limit", limit),
        (row, number) -> new Ended(row.getLong("id"), row.getLong("finished_at")));
  }

  @Override
  public OptionalLong idBelow(long belowId, int rows) {
    return orEmpty(byId.idBelow(belowId, rows));
  }

  @Override
  public int delete(Collection<Long> ids) {
    return byId.delete(ids);
  }

  @Override
  public Set<TriggerKey> endedTriggers(long jobId, long after, long until) {
    String sql =
        """
        SELECT task_id, planned_at, ordinal FROM jt_history
        WHERE job_id = :jobId AND planned_for > :after AND planned_for <= :until AND is_final""";
    return Set.copyOf(
        database.list(
            "look up triggers of job " + jobId + " in the ledger",
            sql,
            Map.of("jobId", jobId, "after", after, "until", until),
            (row, number) -> Columns.readKey(row)));
  }

  @Override
  public List<LedgerEntry> findByJob(long jobId) {
    return database.list(
        "read the ledger of job " + jobId,
        SELECT + "WHERE job_id = :jobId ORDER BY job_id, planned_for, id",
        Map.of("jobId", jobId),
        LedgerRowMapper::read);
  }

  @Override
  public PartEnds countEndsOfParts(long batchId) {
    String sql =
        """
        SELECT status, SUM(instants) AS parts FROM jt_history
        WHERE job_id = :batchId AND is_final GROUP BY status""";
    return database
        .list(
            "count ends of parts of batch " + batchId,
            sql,
            Map.of("batchId", batchId),
            (row, number) ->
                PartEnds.of(LedgerStatus.valueOf(row.getString("status")), row.getInt("parts")))
        .stream()
        .reduce(PartEnds.NONE, PartEnds::plus);
  }

  @Override
  public List<EndedParts> endsOfParts(long batchId, int limit) {
    return database.list(
        "read ends of parts of batch " + batchId,
        """
        SELECT ordinal, instants, status FROM jt_history
        WHERE job_id = :batchId AND is_final
        LIMIT :limit""",
        Map.of("batchId", batchId, "limit", limit),
        (row, number) ->
            new EndedParts(
                row.getInt("ordinal"),
                row.getInt("instants"),
                LedgerStatus.valueOf(row.getString("status"))));
  }

  /** ORDER BY names the equality column too: H2 would sort all rows of the job otherwise. */
  @Override
  public List<LedgerEntry> findLatest(long jobId, long plannedFrom, long plannedTo, int limit) {
    return database.list(
        "read the latest rows of the ledger of job " + jobId,
        SELECT
            + """
            WHERE job_id = :jobId AND planned_for >= :plannedFrom AND planned_for <= :plannedTo
            ORDER BY job_id DESC, planned_for DESC, id DESC
            LIMIT :limit""",
        Map.of("jobId", jobId, "plannedFrom", plannedFrom, "plannedTo", plannedTo, "limit", limit),
        LedgerRowMapper::read);
  }

  @Override
  public Map<Long, List<RunEnd>> findLatestEnds(Collection<Long> jobIds, int limit, int lookAt) {
    return latestEnds.find(jobIds, limit, lookAt);
  }

  @Override
  public OneShotSearch searchOneShot(String nodeGroup, String taskId, int maxRows) {
    return database.call(
        "search the ledger for " + nodeGroup + "/" + taskId,
        () -> {
          long below = Long.MAX_VALUE;
          long looked = 0;
          SearchedPage page;
          do {
            long size = Math.min(SEARCH_PAGE, maxRows - looked);
            page = searchPage(nodeGroup, taskId, below, size);
            looked += page.rows();
            if (page.found() != null) {
              return new OneShotSearch(jobOf(page.found()), looked, page.backTo());
            }
            if (page.rows() < size) {
              return new OneShotSearch(null, looked, null);
            }
            below = page.lowestId();
          } while (looked < maxRows);
          return new OneShotSearch(null, looked, page.backTo());
        });
  }

  /**
   * The summary of one page of the ledger: computed in the database, so that little data is
   * transferred.
   */
  private record SearchedPage(long rows, long lowestId, long backTo, @Nullable Long found) {}

  private SearchedPage searchPage(String nodeGroup, String taskId, long below, long size) {
    String sql =
        """
        SELECT COUNT(*) AS looked, MIN(id) AS lowest, MIN(finished_at) AS back_to,
          MAX(CASE WHEN task_id = :taskId AND node_group = :nodeGroup AND job_version = 0
            THEN id END) AS found
        FROM (
          SELECT id, task_id, node_group, job_version, finished_at FROM jt_history %s
          WHERE id < :below
          ORDER BY id DESC
          LIMIT :size) AS page"""
            .formatted(database.dialect().keyIndexHint());
    return database
        .sql(sql)
        .params(Map.of("taskId", taskId, "nodeGroup", nodeGroup, "below", below, "size", size))
        .query(
            (row, number) ->
                new SearchedPage(
                    row.getLong("looked"),
                    row.getLong("lowest"),
                    row.getLong("back_to"),
                    Columns.readLongOrNull(row, "found")))
        .single();
  }

  private long jobOf(long id) {
    String sql = "SELECT job_id FROM jt_history WHERE id = :id";
    return database.single("read row " + id + " of the ledger", sql, Map.of("id", id), Long.class);
  }

  @Override
  public Found search(Search wanted, AgeOrder order, int limit, int lookAt) {
    return database.call("search the ledger", () -> search.run(wanted, order, limit, lookAt));
  }

  @Override
  public FoundOfJob searchJob(
      long jobId, Search wanted, AgeOrder order, Place behind, int limit, int lookAt) {
    return database.call(
        "search the ledger of job " + jobId,
        () -> search.runJob(jobId, wanted, order, behind, limit, lookAt));
  }
}
