package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.store.console.GroupLoadStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.Parameters;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table {@code jt_group_load}, joined with {@code jt_node_group}. */
final class JdbcGroupLoadStore implements GroupLoadStore {
  private static final List<String> KEY = List.of("node_group");
  private static final List<String> COLUMNS =
      List.of(
          "node_group",
          "tracker",
          "observed_at",
          "backlog",
          "at_least",
          "oldest_due_at",
          "next_due_at",
          "workers",
          "draining",
          "slots",
          "slots_in_use",
          "free_slots",
          "executing");
  private static final String SELECT =
      "SELECT node.name, node.owner, node.epoch, load_.tracker, load_.observed_at, load_.backlog,"
          + " load_.at_least, load_.oldest_due_at, load_.next_due_at, load_.workers,"
          + " load_.draining, load_.slots, load_.slots_in_use, load_.free_slots, load_.executing ";
  private static final String FROM_GROUPS =
      "FROM jt_node_group node LEFT JOIN jt_group_load load_ ON load_.node_group = node.name ";

  private final Database database;
  private final RowInsert<GroupLoad> upsert;

  JdbcGroupLoadStore(Database database) {
    this.database = database;
    List<String> sets =
        COLUMNS.stream()
            .filter(column -> !KEY.contains(column))
            .map(column -> column + " = given." + column)
            .toList();
    this.upsert =
        new RowInsert<>(
            rows -> database.dialect().upsert("jt_group_load", COLUMNS, KEY, sets, rows),
            JdbcGroupLoadStore::bind,
            load -> 0);
  }

  /** Writes in order of key, so that trackers that write the same rows do not deadlock. */
  @Override
  public void put(List<GroupLoad> loads) {
    if (loads.isEmpty()) {
      return;
    }
    List<GroupLoad> ordered =
        loads.stream().sorted(Comparator.comparing(GroupLoad::nodeGroup)).toList();
    database.run(
        "write the load of " + loads.size() + " node groups",
        () -> upsert.insert(database.jdbc(), ordered));
  }

  @Override
  public List<LoadedGroup> list(String aboveName, int limit) {
    return database.call(
        "list node groups",
        () ->
            database
                .sql(
                    SELECT
                        + FROM_GROUPS
                        + "WHERE node.name > :above ORDER BY node.name LIMIT :limit")
                .param("above", aboveName)
                .param("limit", limit)
                .query(JdbcGroupLoadStore::read)
                .list());
  }

  @Override
  public Optional<LoadedGroup> find(String name) {
    return database.call(
        "find the load of node group " + name,
        () ->
            database
                .sql(SELECT + FROM_GROUPS + "WHERE node.name = :name")
                .param("name", name)
                .query(JdbcGroupLoadStore::read)
                .optional());
  }

  @Override
  public List<LoadedGroup> mostOverdue(long dueBefore, int limit) {
    String sql =
        SELECT
            + """
            FROM jt_group_load load_ JOIN jt_node_group node ON node.name = load_.node_group
            WHERE load_.oldest_due_at < :dueBefore
            ORDER BY load_.oldest_due_at, load_.node_group
            LIMIT :limit""";
    return database.call(
        "find the node groups that are late",
        () ->
            database
                .sql(sql)
                .param("dueBefore", dueBefore)
                .param("limit", limit)
                .query(JdbcGroupLoadStore::read)
                .list());
  }

  @Override
  public Totals totals() {
    String sql =
        """
        SELECT COUNT(*) AS all_groups, SUM(backlog) AS backlog,
          SUM(CASE WHEN at_least THEN 1 ELSE 0 END) AS cut, SUM(workers) AS workers,
          SUM(draining) AS draining, SUM(slots) AS slots, SUM(slots_in_use) AS slots_in_use,
          SUM(executing) AS executing
        FROM jt_group_load""";
    return database.call(
        "sum the load of all node groups",
        () ->
            database
                .sql(sql)
                .query(
                    (row, number) ->
                        new Totals(
                            row.getLong("all_groups"),
                            row.getLong("backlog"),
                            row.getLong("cut") > 0,
                            row.getLong("workers"),
                            row.getLong("draining"),
                            row.getLong("slots"),
                            row.getLong("slots_in_use"),
                            row.getLong("executing")))
                .single());
  }

  @Override
  public Map<Integer, Long> groupsByOwner() {
    Map<Integer, Long> groups = new HashMap<>();
    database.run(
        "count the node groups of each tracker",
        () -> {
          groups.clear();
          database
              .sql(
                  "SELECT owner, COUNT(*) AS owned FROM jt_node_group"
                      + " WHERE owner IS NOT NULL GROUP BY owner")
              .query(
                  row -> {
                    groups.put(row.getInt("owner"), row.getLong("owned"));
                  });
        });
    return groups;
  }

  private static void bind(GroupLoad load, Parameters parameters) throws SQLException {
    parameters
        .text(load.nodeGroup())
        .number(load.tracker())
        .number(load.observedAt())
        .number(load.backlog())
        .flag(load.atLeast())
        .numberOrNull(load.oldestDueAt())
        .numberOrNull(load.nextDueAt())
        .number(load.workers())
        .number(load.draining())
        .number(load.slots())
        .number(load.slotsInUse())
        .number(load.freeSlots())
        .number(load.executing());
  }

  private static LoadedGroup read(ResultSet row, int rowNumber) throws SQLException {
    String name = row.getString("name");
    Long owner = Columns.readLongOrNull(row, "owner");
    return new LoadedGroup(
        name,
        owner == null ? null : (Integer) owner.intValue(),
        row.getLong("epoch"),
        readLoad(name, row));
  }

  private static @Nullable GroupLoad readLoad(String name, ResultSet row) throws SQLException {
    Long observedAt = Columns.readLongOrNull(row, "observed_at");
    return observedAt == null
        ? null
        : new GroupLoad(
            name,
            row.getInt("tracker"),
            observedAt,
            row.getLong("backlog"),
            row.getBoolean("at_least"),
            Columns.readLongOrNull(row, "oldest_due_at"),
            Columns.readLongOrNull(row, "next_due_at"),
            row.getInt("workers"),
            row.getInt("draining"),
            row.getInt("slots"),
            row.getInt("slots_in_use"),
            row.getInt("free_slots"),
            row.getInt("executing"));
  }
}
