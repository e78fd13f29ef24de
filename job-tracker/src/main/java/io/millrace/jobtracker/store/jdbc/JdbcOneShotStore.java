package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerRecord;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.OneShotStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.row.ExecutingRowMapper;
import io.millrace.jobtracker.store.jdbc.row.JobSearch;
import io.millrace.jobtracker.store.jdbc.row.WaitingRowMapper;
import io.millrace.jobtracker.store.jdbc.sql.WaitingTableName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;

/** One-shots in the waiting tables and in {@code jt_executing}, by the unique keys of triggers. */
final class JdbcOneShotStore implements OneShotStore {
  private final Database database;

  JdbcOneShotStore(Database database) {
    this.database = database;
  }

  @Override
  public Part<WaitingTrigger> readWaiting(Range range) {
    String table = WaitingTableName.of(range.nodeGroup()).toString();
    Source<WaitingTrigger> source =
        new Source<>(
            table,
            WaitingRowMapper.COLUMNS.listWithoutParams(),
            "",
            "task_id, planned_at, ordinal",
            WaitingRowMapper::read);
    return database.call(
        "read waiting one-shots of node group " + range.nodeGroup(), () -> read(source, range));
  }

  @Override
  public Part<Execution> readExecuting(Range range) {
    Source<Execution> source =
        new Source<>(
            "jt_executing",
            ExecutingRowMapper.COLUMNS.listWithoutParams(),
            "node_group = :nodeGroup AND ",
            "node_group, task_id, planned_at, ordinal",
            ExecutingRowMapper::read);
    return database.call(
        "read running one-shots of node group " + range.nodeGroup(), () -> read(source, range));
  }

  /**
   * A table with one-shots.
   *
   * @param group condition for the rows of the node group
   * @param order all columns of the unique key: H2 would sort otherwise
   */
  private record Source<T>(
      String table, String columns, String group, String order, RowMapper<T> mapper) {}

  /** The place up to which the rows were looked at. */
  private record Looked(int rows, @Nullable String last) {}

  /**
   * Bounds the rows by the index alone before it reads them: a recurring job may have many between
   * two one-shots.
   */
  private <T extends TriggerRecord> Part<T> read(Source<T> source, Range range) {
    Map<String, Object> values = new HashMap<>();
    String condition = source.group() + condition(range, values);
    values.put("nodeGroup", range.nodeGroup());
    Looked looked = look(source, condition, values, range.lookAt());
    if (looked.last() == null) {
      return new Part<>(List.of(), null);
    }
    values.put("last", looked.last());
    String sql =
        """
        SELECT ${columns} FROM ${table}
        WHERE ${condition} AND task_id <= :last AND planned_at = 0 AND ordinal = 0
        ORDER BY ${order}
        LIMIT :limit""";
    List<T> rows =
        database
            .sql(on(source, condition, sql))
            .params(values)
            .param("limit", range.limit())
            .query(source.mapper())
            .list();
    if (rows.size() == range.limit()) {
      return new Part<>(rows, rows.get(rows.size() - 1).key().taskId());
    }
    return new Part<>(rows, looked.rows() == range.lookAt() ? looked.last() : null);
  }

  private Looked look(Source<?> source, String condition, Map<String, Object> values, int lookAt) {
    String sql =
        """
        SELECT COUNT(*) AS looked_at, MAX(task_id) AS last_task FROM (
          SELECT task_id FROM ${table}
          WHERE ${condition}
          ORDER BY ${order}
          LIMIT :lookAt) AS looked""";
    return database
        .sql(on(source, condition, sql))
        .params(values)
        .param("lookAt", lookAt)
        .query((row, number) -> new Looked(row.getInt("looked_at"), row.getString("last_task")))
        .single();
  }

  private static String on(Source<?> source, String condition, String sql) {
    return sql.replace("${columns}", source.columns())
        .replace("${table}", source.table())
        .replace("${order}", source.order())
        .replace("${condition}", condition);
  }

  private static String condition(Range range, Map<String, Object> values) {
    values.put("above", range.aboveTaskId());
    String prefix = range.prefix();
    if (prefix == null) {
      return "task_id > :above";
    }
    values.put("prefix", prefix);
    String beyond = JobSearch.beyond(prefix);
    if (beyond == null) {
      return "task_id > :above AND task_id >= :prefix";
    }
    values.put("beyond", beyond);
    return "task_id > :above AND task_id >= :prefix AND task_id < :beyond";
  }
}
