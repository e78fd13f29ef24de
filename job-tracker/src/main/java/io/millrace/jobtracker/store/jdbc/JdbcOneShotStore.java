package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.LiveTrigger;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.OneShotStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.row.ExecutingRowMapper;
import io.millrace.jobtracker.store.jdbc.row.JobSearch;
import io.millrace.jobtracker.store.jdbc.row.WaitingRowMapper;
import io.millrace.jobtracker.store.jdbc.sql.DirectedSql;
import io.millrace.jobtracker.store.jdbc.sql.WaitingTableName;
import io.millrace.jobtracker.store.order.Direction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;

/**
 * One-shots in the waiting tables, {@code jt_executing} and {@code jt_batch}, by the identity of
 * triggers.
 */
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
            "task_id ${direction}, planned_at ${direction}, ordinal ${direction}",
            WaitingRowMapper::read);
    return database.call(
        "read waiting one-shots of node group " + range.nodeGroup(), () -> read(source, range));
  }

  @Override
  public Part<Execution> readExecuting(Range range) {
    return readRuns("jt_executing", "", range);
  }

  @Override
  public Part<Execution> readSplit(Range range) {
    return readRuns("jt_batch", " AND state <> 'STAGED'", range);
  }

  private Part<Execution> readRuns(String table, String which, Range range) {
    Source<Execution> source =
        new Source<>(
            table,
            ExecutingRowMapper.COLUMNS.listWithoutParams(),
            " AND node_group = :nodeGroup" + which,
            "node_group ${direction}, task_id ${direction}, planned_at ${direction},"
                + " ordinal ${direction}",
            ExecutingRowMapper::read);
    return database.call(
        "read running one-shots of node group " + range.nodeGroup(), () -> read(source, range));
  }

  /**
   * A table with one-shots.
   *
   * @param group condition for the rows of the node group, which begins with AND
   * @param order all columns of the unique key: H2 would sort otherwise
   */
  private record Source<T>(
      String table, String columns, String group, String order, RowMapper<T> mapper) {}

  /** The place up to which the rows were looked at. */
  private record Looked(int rows, @Nullable String last) {}

  private record Found(long id, String taskId) {}

  /**
   * Looks at a bounded number of entries of the index, and reads only the rows of one-shots: a
   * recurring job may have many rows between two of them.
   */
  private <T extends LiveTrigger> Part<T> read(Source<T> source, Range range) {
    Map<String, Object> values = new HashMap<>();
    String condition =
        "1 = 1"
            + source.group()
            + JobSearch.rangeOfTasks(range.direction(), range.behind(), range.prefix(), values);
    values.put("nodeGroup", range.nodeGroup());
    values.put("lookAt", range.lookAt());
    Looked looked = look(source, range, condition, values);
    if (looked.last() == null) {
      return new Part<>(List.of(), null);
    }
    values.put("last", looked.last());
    List<Found> found = find(source, range, condition, values);
    List<T> rows = rows(source, found);
    if (found.size() == range.limit()) {
      return new Part<>(rows, found.get(found.size() - 1).taskId());
    }
    return new Part<>(rows, looked.rows() == range.lookAt() ? looked.last() : null);
  }

  private Looked look(Source<?> source, Range range, String condition, Map<String, Object> values) {
    String sql =
        """
        SELECT COUNT(*) AS looked_at, ${last}(task_id) AS last_task FROM (
          SELECT task_id FROM ${table}
          WHERE ${condition}
          ORDER BY ${order}
          LIMIT :lookAt) AS looked""";
    return database
        .sql(DirectedSql.of(on(source, condition, sql), range.direction()))
        .params(values)
        .query((row, number) -> new Looked(row.getInt("looked_at"), row.getString("last_task")))
        .single();
  }

  /**
   * Reads all rows of the last task id, so that its one-shot is not cut off in either direction.
   */
  private List<Found> find(
      Source<?> source, Range range, String condition, Map<String, Object> values) {
    String untilLast = range.direction() == Direction.ASCENDING ? "<=" : ">=";
    String sql =
        """
        SELECT id, task_id FROM ${table}
        WHERE ${condition} AND task_id %s :last AND planned_at = 0 AND ordinal = 0
        ORDER BY ${order}
        LIMIT :limit"""
            .formatted(untilLast);
    return database
        .sql(DirectedSql.of(on(source, condition, sql), range.direction()))
        .params(values)
        .param("limit", range.limit())
        .query((row, number) -> new Found(row.getLong("id"), row.getString("task_id")))
        .list();
  }

  /** The rows in the order in which they were found; those that have gone since are left out. */
  private <T extends LiveTrigger> List<T> rows(Source<T> source, List<Found> found) {
    String sql = on(source, "id IN (:ids)", "SELECT ${columns} FROM ${table} WHERE ${condition}");
    Map<Long, T> byId =
        database
            .listByIds(
                "read " + found.size() + " one-shots",
                sql,
                found.stream().map(Found::id).toList(),
                Map.of(),
                source.mapper())
            .stream()
            .collect(Collectors.toMap(LiveTrigger::id, Function.identity()));
    return found.stream().map(one -> byId.get(one.id())).filter(Objects::nonNull).toList();
  }

  private static String on(Source<?> source, String condition, String sql) {
    return sql.replace("${columns}", source.columns())
        .replace("${table}", source.table())
        .replace("${order}", source.order())
        .replace("${condition}", condition);
  }
}
