package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.store.ExecutingStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.row.ExecutingRowMapper;
import io.millrace.jobtracker.store.jdbc.row.RowsById;
import io.millrace.jobtracker.store.jdbc.sql.DirectedSql;
import io.millrace.jobtracker.store.jdbc.sql.RecentExecutions;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/** The table {@code jt_executing}. */
final class JdbcExecutingStore implements ExecutingStore {
  private static final String COLUMNS = ExecutingRowMapper.COLUMNS.listInlined();
  private static final String SELECT = "SELECT " + COLUMNS + " FROM jt_executing ";
  private static final String SELECT_WITHOUT_PARAMS =
      "SELECT " + ExecutingRowMapper.COLUMNS.listWithoutParams() + " FROM jt_executing ";

  private final Database database;
  private final RowsById byId;
  private final RowInsert<Execution> insert =
      RowInsert.into("jt_executing", ExecutingRowMapper.COLUMNS, row -> row.params().bytes());
  private final RecentExecutions recent = new RecentExecutions();

  JdbcExecutingStore(Database database) {
    this.database = database;
    this.byId = new RowsById(database, "jt_executing");
  }

  @Override
  public void insert(List<Execution> executions) {
    database.insert("insert " + executions.size() + " executions", insert, executions);
    recent.remember(executions);
  }

  @Override
  public List<Execution> recall(Collection<Long> ids) {
    return recent.recall(ids);
  }

  @Override
  public List<Execution> find(Collection<Long> ids) {
    return byId.find(ids, COLUMNS, ExecutingRowMapper::read);
  }

  @Override
  public List<Execution> findByGroup(String nodeGroup, long aboveId, int limit) {
    return database.list(
        "find executions of node group " + nodeGroup,
        SELECT
            + """
            WHERE node_group = :nodeGroup AND id > :aboveId
            ORDER BY id
            LIMIT :limit""",
        Map.of("nodeGroup", nodeGroup, "aboveId", aboveId, "limit", limit),
        ExecutingRowMapper::read);
  }

  @Override
  public List<Execution> findByTasks(String nodeGroup, Collection<String> taskIds) {
    String sql =
        database.dialect().selectByTasks(COLUMNS, "jt_executing", "node_group = :nodeGroup");
    return database.listByTasks(
        "find executions of " + taskIds.size() + " task ids of node group " + nodeGroup,
        sql,
        taskIds,
        Map.of("nodeGroup", nodeGroup),
        ExecutingRowMapper::read);
  }

  /** Bounds the rows before it filters them: another node group may have many. */
  @Override
  public Found search(Search search, AgeOrder order, long behindId, int limit, int lookAt) {
    String sql =
        """
        SELECT * FROM (
          %s %s WHERE id ${beyond} :behindId ORDER BY id ${direction} LIMIT :lookAt) AS looked_at
        WHERE 1 = 1%s%s
        ORDER BY id ${direction} LIMIT :limit"""
            .formatted(
                SELECT_WITHOUT_PARAMS,
                database.dialect().keyIndexHint(),
                search.nodeGroup() == null ? "" : " AND node_group = :nodeGroup",
                search.workerId() == null ? "" : " AND worker_id = :workerId");
    return database.call(
        "search executions",
        () -> {
          List<Execution> found =
              database
                  .sql(DirectedSql.of(sql, order))
                  .params(Map.of("behindId", behindId, "lookAt", lookAt, "limit", limit))
                  .param("nodeGroup", search.nodeGroup())
                  .param("workerId", search.workerId())
                  .query(ExecutingRowMapper::read)
                  .list();
          return new Found(
              found,
              found.size() == limit
                  ? (Long) found.get(limit - 1).id()
                  : idBehind(order, behindId, lookAt));
        });
  }

  /** The id of the row that is this many rows behind an id, or null if there are fewer. */
  private @Nullable Long idBehind(AgeOrder order, long behindId, int rows) {
    String sql =
        """
        SELECT id FROM jt_executing %s WHERE id ${beyond} :behindId
        ORDER BY id ${direction} LIMIT 1 OFFSET :offset"""
            .formatted(database.dialect().keyIndexHint());
    Map<String, ?> values = Map.of("behindId", behindId, "offset", rows - 1);
    return database
        .find("find where a search continues", DirectedSql.of(sql, order), values, Long.class)
        .orElse(null);
  }

  @Override
  public int delete(Collection<Long> ids) {
    recent.forget(ids);
    return byId.delete(ids);
  }

  /** Waits for a concurrent stop request on a row and then evaluates the row's new value. */
  @Override
  public int deleteUnstopped(Collection<Long> ids) {
    recent.forget(ids);
    return byId.delete(ids, " AND stop_requested = FALSE");
  }

  /** As {@link #deleteUnstopped}, waits for a transaction that is making a row count. */
  @Override
  public int deleteUncounted(Collection<Long> ids) {
    recent.forget(ids);
    return byId.delete(ids, " AND counted = FALSE");
  }

  /** As the two methods above, waits for a transaction that is changing a row. */
  @Override
  public int deleteUntouched(Collection<Long> ids) {
    recent.forget(ids);
    return byId.delete(ids, " AND stop_requested = FALSE AND counted = FALSE");
  }

  @Override
  public Set<Long> deleteEach(Collection<Long> ids) {
    recent.forget(ids);
    return byId.deleteEach(ids);
  }

  @Override
  public boolean lock(long id) {
    return byId.lock(id);
  }

  @Override
  public Map<Long, String> readParams(Collection<Long> ids) {
    return byId.readParams(ids);
  }

  @Override
  public int requestStop(String nodeGroup, String taskId) {
    return database.update(
        "request the stop of " + nodeGroup + "/" + taskId,
        """
        UPDATE jt_executing SET stop_requested = TRUE
        WHERE node_group = :nodeGroup AND task_id = :taskId""",
        Map.of("nodeGroup", nodeGroup, "taskId", taskId));
  }

  @Override
  public int terminate(String nodeGroup, String taskId, @Nullable Long executionId, String by) {
    String sql =
        """
        UPDATE jt_executing SET stop_requested = TRUE, terminated_by = COALESCE(terminated_by, :by)
        WHERE node_group = :nodeGroup AND task_id = :taskId"""
            + (executionId == null ? "" : " AND id = :executionId");
    var values =
        new MapSqlParameterSource(Map.of("by", by, "nodeGroup", nodeGroup, "taskId", taskId))
            .addValue("executionId", executionId);
    return database.update("terminate executions of " + nodeGroup + "/" + taskId, sql, values);
  }
}
