package io.millrace.jobtracker.store.jdbc.sql;

import io.millrace.jobtracker.store.order.AgeOrder;
import io.millrace.jobtracker.store.order.Direction;

/** Statements that read a range of an index from either end. */
public final class DirectedSql {
  private DirectedSql() {}

  /**
   * Returns a statement for one direction.
   *
   * @param sql with {@code ${beyond}} for the operator that a value further on meets, {@code
   *     ${direction}} for that of ORDER BY, and {@code ${last}} for the aggregate that is the last
   *     value of those read
   */
  public static String of(String sql, Direction direction) {
    boolean isUp = direction == Direction.ASCENDING;
    return sql.replace("${beyond}", isUp ? ">" : "<")
        .replace("${direction}", isUp ? "ASC" : "DESC")
        .replace("${last}", isUp ? "MAX" : "MIN");
  }

  /** As {@link #of(String, Direction)}, along ids, which rise with time. */
  public static String of(String sql, AgeOrder order) {
    return of(sql, order == AgeOrder.OLDEST_FIRST ? Direction.ASCENDING : Direction.DESCENDING);
  }
}
