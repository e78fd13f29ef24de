package io.millrace.jobtracker.store.jdbc.batch;

import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.store.batch.RunStore;
import io.millrace.jobtracker.store.failure.RaceLostException;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.row.ExecutingRowMapper;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.DirectedSql;
import io.millrace.jobtracker.store.order.Direction;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The tables {@code jt_executing} and {@code jt_batch}. A STAGED batch is no run: its execution
 * still is.
 */
public final class JdbcRunStore implements RunStore {
  private static final String COLUMNS = ExecutingRowMapper.COLUMNS.listInlined();
  private static final String ORDER =
      "node_group ${direction}, task_id ${direction}, planned_at ${direction}, ordinal ${direction}";
  private static final String NOT_STAGED = " AND state <> 'STAGED'";

  private final Database database;

  public JdbcRunStore(Database database) {
    this.database = database;
  }

  @Override
  public List<Execution> findByTasks(String nodeGroup, Collection<String> taskIds) {
    String ofGroup = "node_group = :nodeGroup";
    String sql =
        database.dialect().selectByTasks(COLUMNS, "jt_executing", ofGroup)
            + " UNION ALL "
            + database.dialect().selectByTasks(COLUMNS, "jt_batch", ofGroup + NOT_STAGED);
    return database.listByTasks(
        "find runs of " + taskIds.size() + " task ids of node group " + nodeGroup,
        sql,
        taskIds,
        Map.of("nodeGroup", nodeGroup),
        ExecutingRowMapper::read);
  }

  @Override
  public List<Execution> findByTask(String nodeGroup, String taskId, int limit) {
    return database.list(
        "find runs of " + nodeGroup + "/" + taskId,
        ofTask("node_group = :nodeGroup AND task_id = :taskId", Direction.ASCENDING),
        Map.of("nodeGroup", nodeGroup, "taskId", taskId, "limit", limit),
        ExecutingRowMapper::read);
  }

  @Override
  public List<Execution> readByTask(
      String nodeGroup, Direction direction, TriggerKey behind, int limit) {
    return database.list(
        "read runs of " + nodeGroup + "/" + behind.taskId(),
        ofTask(
            """
            node_group = :nodeGroup AND task_id = :taskId AND planned_at ${beyond}= :plannedAt
              AND (planned_at ${beyond} :plannedAt OR ordinal ${beyond} :ordinal)""",
            direction),
        Columns.behind(nodeGroup, behind, limit),
        ExecutingRowMapper::read);
  }

  /** ORDER BY names every column of the index: H2 would sort all rows otherwise. */
  private static String ofTask(String condition, Direction direction) {
    String sql =
        """
        (SELECT ${columns} FROM jt_executing WHERE ${condition}
          ORDER BY ${order} LIMIT :limit)
        UNION ALL
        (SELECT ${columns} FROM jt_batch WHERE ${condition} ${notStaged}
          ORDER BY ${order} LIMIT :limit)
        ORDER BY planned_at ${direction}, ordinal ${direction} LIMIT :limit"""
            .replace("${columns}", ExecutingRowMapper.COLUMNS.listWithoutParams())
            .replace("${condition}", condition)
            .replace("${notStaged}", NOT_STAGED)
            .replace("${order}", ORDER);
    return DirectedSql.of(sql, direction);
  }

  /**
   * Batches first, as everybody writes them: an end of a part writes its batch before it deletes
   * executions. A run that splits moves the other way, so batches are read once more at the end.
   * Writes every row, even one that has the value already, so that the update count is the number
   * of existing rows.
   */
  @Override
  public int setCounted(String nodeGroup, String taskId, boolean counted) {
    String what = "count runs of " + nodeGroup + "/" + taskId;
    Map<String, ?> task = Map.of("nodeGroup", nodeGroup, "taskId", taskId);
    return database.call(
        what,
        () -> {
          List<Long> batches = ids(what, "jt_batch", NOT_STAGED, task);
          setCounted(what, "jt_batch", batches, counted);
          List<Long> executions = ids(what, "jt_executing", "", task);
          setCounted(what, "jt_executing", executions, counted);
          if (!batches.containsAll(ids(what, "jt_batch", NOT_STAGED, task))) {
            throw new RaceLostException(what + ": one was split in the meantime");
          }
          return batches.size() + executions.size();
        });
  }

  private List<Long> ids(String what, String table, String condition, Map<String, ?> task) {
    String sql =
        """
        SELECT id FROM %s
        WHERE node_group = :nodeGroup AND task_id = :taskId AND job_version > 0%s"""
            .formatted(table, condition);
    return database.list(what, sql, task, Long.class);
  }

  private void setCounted(String what, String table, List<Long> ids, boolean counted) {
    String sql = "UPDATE " + table + " SET counted = :counted WHERE id IN (:ids)";
    if (database.updateByIds(what, sql, ids, Map.of("counted", counted)) != ids.size()) {
      throw new RaceLostException(what + ": one ended in the meantime");
    }
  }
}
