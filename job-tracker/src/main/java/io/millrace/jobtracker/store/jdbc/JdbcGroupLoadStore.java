package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.store.console.GroupLoadStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table {@code jt_group_load}, joined with {@code jt_node_group}. */
final class JdbcGroupLoadStore implements GroupLoadStore {
  private static final List<String> KEY = List.of("node_group");
  private static final RowColumns<GroupLoad> COLUMNS =
      RowColumns.<GroupLoad>of()
          .text("node_group", GroupLoad::nodeGroup)
          .number("tracker", GroupLoad::tracker)
          .number("observed_at", GroupLoad::observedAt)
          .number("backlog", GroupLoad::backlog)
          .flag("at_least", GroupLoad::atLeast)
          .number("oldest_due_at", GroupLoad::oldestDueAt)
          .number("next_due_at", GroupLoad::nextDueAt)
          .number("workers", GroupLoad::workers)
          .number("draining", GroupLoad::draining)
          .number("slots", GroupLoad::slots)
          .number("slots_in_use", GroupLoad::slotsInUse)
          .number("free_slots", GroupLoad::freeSlots)
          .number("executing", GroupLoad::executing);
  private static final String SELECT =
      "SELECT node.name, node.owner, node.epoch, " + COLUMNS.listOf("load_") + " ";
  private static final String FROM_GROUPS =
      "FROM jt_node_group node LEFT JOIN jt_group_load load_ ON load_.node_group = node.name ";

  private final Database database;
  private final RowInsert<GroupLoad> upsert;

  JdbcGroupLoadStore(Database database) {
    this.database = database;
    this.upsert =
        RowInsert.upsert(database.dialect(), "jt_group_load", COLUMNS, KEY, COLUMNS.setsBut(KEY));
  }

  /** Writes in order of key, so that trackers that write the same rows do not deadlock. */
  @Override
  public void put(List<GroupLoad> loads) {
    if (loads.isEmpty()) {
      return;
    }
    List<GroupLoad> ordered =
        loads.stream().sorted(Comparator.comparing(GroupLoad::nodeGroup)).toList();
    database.insert("write the load of " + loads.size() + " node groups", upsert, ordered);
  }

  @Override
  public List<LoadedGroup> list(String aboveName, int limit) {
    return list("", Map.of("above", aboveName, "limit", limit));
  }

  @Override
  public List<LoadedGroup> listLike(String contained, String aboveName, int limit) {
    return list(
        "AND LOCATE(:contained, LOWER(node.name)) > 0 ",
        Map.of(
            "above", aboveName, "limit", limit, "contained", contained.toLowerCase(Locale.ROOT)));
  }

  private List<LoadedGroup> list(String filter, Map<String, Object> values) {
    return database.list(
        "list node groups",
        SELECT
            + FROM_GROUPS
            + "WHERE node.name > :above "
            + filter
            + "ORDER BY node.name LIMIT :limit",
        values,
        JdbcGroupLoadStore::read);
  }

  @Override
  public Optional<LoadedGroup> find(String name) {
    return database.find(
        "find the load of node group " + name,
        SELECT + FROM_GROUPS + "WHERE node.name = :name",
        Map.of("name", name),
        JdbcGroupLoadStore::read);
  }

  @Override
  public List<LoadedGroup> mostOverdue(long dueBefore, int limit) {
    return database.list(
        "find the node groups that are late",
        SELECT
            + """
            FROM jt_group_load load_ JOIN jt_node_group node ON node.name = load_.node_group
            WHERE load_.oldest_due_at < :dueBefore
            ORDER BY load_.oldest_due_at, load_.node_group
            LIMIT :limit""",
        Map.of("dueBefore", dueBefore, "limit", limit),
        JdbcGroupLoadStore::read);
  }

  @Override
  public List<LoadedGroup> largestBacklogs(int limit) {
    return database.list(
        "find the largest backlogs",
        SELECT + FROM_GROUPS + "ORDER BY COALESCE(load_.backlog, -1) DESC, node.name LIMIT :limit",
        Map.of("limit", limit),
        JdbcGroupLoadStore::read);
  }

  @Override
  public List<String> withoutWorkers(int limit) {
    return database.list(
        "find the node groups without a worker",
        "SELECT node_group FROM jt_group_load WHERE workers = 0 ORDER BY node_group LIMIT :limit",
        Map.of("limit", limit),
        (row, number) -> row.getString("node_group"));
  }

  @Override
  public Totals totals(long dueBefore) {
    return database
        .find(
            "sum the load of all node groups",
            """
            SELECT COUNT(*) AS all_groups, SUM(backlog) AS backlog,
              SUM(CASE WHEN at_least THEN 1 ELSE 0 END) AS cut,
              SUM(CASE WHEN oldest_due_at < :dueBefore THEN 1 ELSE 0 END) AS late,
              SUM(CASE WHEN workers = 0 THEN 1 ELSE 0 END) AS deserted, SUM(workers) AS workers,
              SUM(draining) AS draining, SUM(slots) AS slots, SUM(slots_in_use) AS slots_in_use,
              SUM(executing) AS executing
            FROM jt_group_load""",
            Map.of("dueBefore", dueBefore),
            JdbcGroupLoadStore::readTotals)
        .orElseThrow();
  }

  private static Totals readTotals(ResultSet row, int rowNumber) throws SQLException {
    return new Totals(
        row.getLong("backlog"),
        row.getLong("cut") > 0,
        row.getLong("executing"),
        row.getLong("all_groups"),
        row.getLong("late"),
        row.getLong("deserted"),
        row.getLong("workers"),
        row.getLong("draining"),
        row.getLong("slots"),
        row.getLong("slots_in_use"));
  }

  @Override
  public Map<Integer, Long> groupsByOwner() {
    return database.map(
        "count the node groups of each tracker",
        """
        SELECT owner, COUNT(*) AS owned FROM jt_node_group
        WHERE owner IS NOT NULL GROUP BY owner""",
        Map.of(),
        (row, number) -> Map.entry(row.getInt("owner"), row.getLong("owned")));
  }

  private static LoadedGroup read(ResultSet row, int rowNumber) throws SQLException {
    return new LoadedGroup(
        row.getString("name"),
        Columns.readIntOrNull(row, "owner"),
        row.getLong("epoch"),
        readLoad(row));
  }

  private static @Nullable GroupLoad readLoad(ResultSet row) throws SQLException {
    Long observedAt = Columns.readLongOrNull(row, "observed_at");
    return observedAt == null
        ? null
        : new GroupLoad(
            row.getString("node_group"),
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
