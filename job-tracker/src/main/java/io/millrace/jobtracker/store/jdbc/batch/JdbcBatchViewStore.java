package io.millrace.jobtracker.store.jdbc.batch;

import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchStats;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.store.batch.BatchViewStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.row.BatchRowMapper;
import io.millrace.jobtracker.store.jdbc.row.RowsById;
import io.millrace.jobtracker.store.jdbc.sql.DirectedSql;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads {@code jt_batch}, {@code jt_executing} and {@code jt_history}. */
public final class JdbcBatchViewStore implements BatchViewStore {
  private static final String COLUMNS = BatchRowMapper.COLUMNS.listWithoutParams();
  private static final String UNDER_WAY = "state <> 'STAGED'";

  private final Database database;
  private final RowsById byId;

  public JdbcBatchViewStore(Database database) {
    this.database = database;
    this.byId = new RowsById(database, "jt_batch");
  }

  @Override
  public List<Batch> list(@Nullable String nodeGroup, AgeOrder order, long behindId, int limit) {
    Map<String, Object> values = new HashMap<>(Map.of("behindId", behindId, "limit", limit));
    if (nodeGroup != null) {
      values.put("nodeGroup", nodeGroup);
    }
    return database.list(
        "list batches",
        DirectedSql.of(nodeGroup == null ? ofAll() : ofGroup(), order),
        values,
        BatchRowMapper::read);
  }

  @Override
  public List<Batch> find(Collection<Long> ids) {
    return byId.find(ids, COLUMNS, BatchRowMapper::read);
  }

  private String ofAll() {
    return """
    SELECT %s FROM jt_batch %s WHERE id ${beyond} :behindId AND %s
    ORDER BY id ${direction} LIMIT :limit"""
        .formatted(COLUMNS, database.dialect().keyIndexHint(), UNDER_WAY);
  }

  /** One range of the index each for the batches whose parts have and have not all ended. */
  private String ofGroup() {
    String range =
        """
        (SELECT %s FROM jt_batch %s
        WHERE node_group = :nodeGroup AND all_ended = ${ended} AND id ${beyond} :behindId AND %s
        ORDER BY node_group ${direction}, all_ended ${direction}, id ${direction} LIMIT :limit)"""
            .formatted(COLUMNS, database.dialect().indexHint("ix_batch_ended"), UNDER_WAY);
    return range.replace("${ended}", "FALSE")
        + " UNION ALL "
        + range.replace("${ended}", "TRUE")
        + " ORDER BY id ${direction} LIMIT :limit";
  }

  @Override
  public Map<Long, Integer> countRunning(String nodeGroup, Collection<Long> batchIds) {
    if (batchIds.isEmpty()) {
      return Map.of();
    }
    Map<String, Long> byTask =
        batchIds.stream()
            .distinct()
            .collect(Collectors.toMap(PartKey::taskIdOf, Function.identity()));
    String ofGroup = "node_group = :nodeGroup";
    String sql =
        "SELECT task_id, COUNT(*) AS running FROM ("
            + database.dialect().selectByTasks("task_id", "jt_executing", ofGroup)
            + " UNION ALL "
            + database.dialect().selectByTasks("task_id", "jt_batch", ofGroup + " AND " + UNDER_WAY)
            + ") AS parts GROUP BY task_id";
    Map<Long, Integer> running = new TreeMap<>();
    database
        .listByTasks(
            "count running parts of " + byTask.size() + " batches",
            sql,
            byTask.keySet(),
            Map.of("nodeGroup", nodeGroup),
            (row, number) -> Map.entry(row.getString("task_id"), row.getInt("running")))
        .forEach(entry -> running.put(byTask.get(entry.getKey()), entry.getValue()));
    return running;
  }

  /** Those whose parts have all ended are left out: they end in a moment. */
  @Override
  public BatchStats stats(String nodeGroup, int maxRows, long now) {
    String sql =
        """
        SELECT COUNT(*) AS batches, SUM(ended) AS ended, SUM(failures) AS failures,
          SUM(released - ended) AS live, SUM(total - released) AS to_follow, MIN(claimed_at) AS first
        FROM (
          SELECT succeeded + failed + dead + cancelled + skipped AS ended,
            failed + dead + cancelled - replaced AS failures, released, total, claimed_at
          FROM jt_batch
          WHERE node_group = :nodeGroup AND all_ended = FALSE AND %s
          ORDER BY node_group, all_ended, id
          LIMIT :maxRows) AS seen"""
            .formatted(UNDER_WAY);
    return database
        .find(
            "count batches of node group " + nodeGroup,
            sql,
            Map.of("nodeGroup", nodeGroup, "maxRows", maxRows),
            (row, number) -> readStats(row, now))
        .orElse(BatchStats.NONE);
  }

  private static BatchStats readStats(ResultSet row, long now) throws SQLException {
    int batches = row.getInt("batches");
    return batches == 0
        ? BatchStats.NONE
        : new BatchStats(
            batches,
            row.getLong("ended"),
            row.getLong("failures"),
            row.getLong("live"),
            row.getLong("to_follow"),
            Math.max(0, now - row.getLong("first")));
  }

  /** ORDER BY names every column of the index: H2 would sort all rows otherwise. */
  @Override
  public Ends countEnds(long batchId, int maxRows) {
    String sql =
        """
        SELECT status, SUM(instants) AS parts, COUNT(*) AS found FROM (
          SELECT status, instants FROM jt_history WHERE job_id = :batchId
          ORDER BY job_id, planned_for, id LIMIT :maxRows) AS ended
        GROUP BY status""";
    Map<LedgerStatus, Long> parts = new TreeMap<>();
    long rows =
        database
            .list(
                "count ends of parts of batch " + batchId,
                sql,
                Map.of("batchId", batchId, "maxRows", maxRows),
                (row, number) -> {
                  parts.put(LedgerStatus.valueOf(row.getString("status")), row.getLong("parts"));
                  return row.getLong("found");
                })
            .stream()
            .mapToLong(Long::longValue)
            .sum();
    return new Ends(Map.copyOf(parts), rows >= maxRows);
  }
}
