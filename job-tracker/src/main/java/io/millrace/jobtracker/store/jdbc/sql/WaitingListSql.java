package io.millrace.jobtracker.store.jdbc.sql;

import io.millrace.jobtracker.store.order.Direction;

/** The statements by which operators read a waiting table in either direction. */
public final class WaitingListSql {
  private WaitingListSql() {}

  /**
   * The rows of one level behind a place, by due time. Those of the same instant are read apart:
   * there may be many of them, and an OR would read them all.
   */
  public static String byDue(Direction direction) {
    String sql =
        """
        (SELECT ${columns} FROM ${table} ${dueIndex}
          WHERE lane = :lane AND priority = :priority AND due_at = :dueAt AND id ${beyond} :id
          ORDER BY ${order} LIMIT :limit)
        UNION ALL
        (SELECT ${columns} FROM ${table} ${dueIndex}
          WHERE lane = :lane AND priority = :priority AND due_at ${beyond} :dueAt
          ORDER BY ${order} LIMIT :limit)
        ORDER BY due_at ${direction}, id ${direction} LIMIT :limit"""
            .replace(
                "${order}",
                "lane ${direction}, priority ${direction}, due_at ${direction}, id ${direction}");
    return DirectedSql.of(sql, direction);
  }

  /**
   * The rows of one task id behind a place, by planned time. ORDER BY names every column of the
   * index: H2 would sort all rows otherwise.
   */
  public static String ofTask(Direction direction) {
    String sql =
        """
        SELECT ${columnsWithoutParams} FROM ${table}
        WHERE task_id = :taskId AND planned_at ${beyond}= :plannedAt
          AND (planned_at ${beyond} :plannedAt OR ordinal ${beyond} :ordinal)
        ORDER BY task_id ${direction}, planned_at ${direction}, ordinal ${direction}
        LIMIT :limit""";
    return DirectedSql.of(sql, direction);
  }
}
