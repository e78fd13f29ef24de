package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.row.WaitingRowMapper;
import io.millrace.jobtracker.store.jdbc.sql.WaitingTableName;
import io.millrace.jobtracker.store.jdbc.sql.WaitingTables;
import java.util.Map;

/**
 * Finds unused node groups and drops them.
 *
 * <p>Every transaction that stores something for a node group writes to its waiting table. One that
 * accepts a recurring job does so too: it holds the task id there. So a drop begins with the table:
 *
 * <ol>
 *   <li>The table is set aside: it gets a name that no tracker uses. The rename waits for the
 *       transactions that have written to the table. Later ones fail, are not acknowledged, and are
 *       retried.
 *   <li>In one transaction, if nothing uses the group and the table is empty, the row is deleted,
 *       on condition of owner and epoch. What this transaction checks can no longer change.
 *   <li>The table is dropped. If the row was not deleted, the table is brought back instead.
 * </ol>
 *
 * <p>While the row exists, no tracker creates the table again; and a tracker that creates a table
 * brings back the one that was set aside, if there is one. If another tracker brings the table back
 * between two steps, the next step does not find it under its name, and the drop ends there. A
 * tracker that dies leaves a table set aside, which {@code NodeGroupTables} brings back.
 */
final class UnusedNodeGroups {
  private static final long MINUTE_MILLIS = 60_000;

  private final Database database;
  private final WaitingTables waitingTables;

  UnusedNodeGroups(Database database, WaitingTables waitingTables) {
    this.database = database;
    this.waitingTables = waitingTables;
  }

  /** Looks each table up by the first column of an index, until it finds a row. */
  boolean isUsed(String name, String table, long since) {
    return database.single(
            "check the use of node group " + name,
            """
        SELECT CASE WHEN EXISTS (SELECT 1 FROM %s)
          OR EXISTS (SELECT 1 FROM jt_job WHERE node_group = :name)
          OR EXISTS (
            SELECT 1 FROM jt_declared WHERE node_group = :name AND retired_at IS NULL)
          OR EXISTS (SELECT 1 FROM jt_executing WHERE node_group = :name)
          OR EXISTS (SELECT 1 FROM jt_batch WHERE node_group = :name)
          OR EXISTS (SELECT 1 FROM jt_dead WHERE node_group = :name)
          OR EXISTS (SELECT 1 FROM jt_worker WHERE node_group = :name)
          OR EXISTS (
            SELECT 1 FROM jt_minute_count WHERE node_group = :name AND minute_at > :minute)
          THEN 1 ELSE 0 END"""
                .formatted(table),
            Map.of("name", name, "minute", since - MINUTE_MILLIS),
            Integer.class)
        == 1;
  }

  boolean drop(String name, int tracker, long epoch, long since) {
    database.requireNoTransaction("dropping node group " + name);
    WaitingTableName table = WaitingTableName.of(name);
    boolean deleted;
    try {
      waitingTables.setAside(table);
      deleted = deleteRow(name, table, tracker, epoch, since);
    } catch (RuntimeException e) {
      bringBackAfter(e, table);
      throw e;
    }
    if (deleted) {
      waitingTables.dropSetAside(table);
    } else {
      bringBack(table);
    }
    return deleted;
  }

  private boolean deleteRow(
      String name, WaitingTableName table, int tracker, long epoch, long since) {
    String what = "drop node group " + name;
    String sql =
        "DELETE FROM jt_node_group WHERE name = :name AND owner = :tracker AND epoch = :epoch";
    String load = "DELETE FROM jt_group_load WHERE node_group = :name";
    Map<String, ?> owned = JdbcNodeGroupStore.owned(name, tracker, epoch);
    return database.call(
        what,
        () -> {
          boolean deleted =
              !isUsed(name, table.setAside(), since) && database.updateOne(what, sql, owned);
          if (deleted) {
            database.update(what, load, Map.of("name", name));
          }
          return deleted;
        });
  }

  private void bringBackAfter(RuntimeException failure, WaitingTableName table) {
    try {
      bringBack(table);
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Restores the table's name if the table was set aside. A tracker of the previous version does
   * not know tables that are set aside and may have created a new table: then the rows are moved
   * there, except triggers that were submitted again.
   */
  void bringBack(WaitingTableName table) {
    waitingTables.bringBack(table);
    if (!waitingTables.isSetAside(table)) {
      return;
    }
    String columns = WaitingRowMapper.COLUMNS.list();
    String move =
        """
        INSERT INTO %1$s (%3$s) SELECT %3$s FROM %2$s AS aside WHERE NOT EXISTS (
          SELECT 1 FROM %1$s AS present WHERE present.task_id = aside.task_id
            AND present.planned_at = aside.planned_at AND present.ordinal = aside.ordinal)"""
            .formatted(table, table.setAside(), columns);
    database.run(
        "move what waits to " + table,
        () -> {
          database.sql(move).update();
          database.sql("DELETE FROM " + table.setAside()).update();
        });
    waitingTables.dropSetAside(table);
  }
}
