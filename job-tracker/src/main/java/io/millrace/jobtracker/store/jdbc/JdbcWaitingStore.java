package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.WaitingStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.row.RowsById;
import io.millrace.jobtracker.store.jdbc.row.WaitingRowMapper;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import io.millrace.jobtracker.store.jdbc.sql.WaitingListSql;
import io.millrace.jobtracker.store.jdbc.sql.WaitingTableName;
import io.millrace.jobtracker.store.order.Direction;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** The {@code jt_waiting_…} tables. */
final class JdbcWaitingStore implements WaitingStore {
  private static final String COLUMNS = WaitingRowMapper.COLUMNS.listInlined();
  private static final String WITHOUT_PARAMS = WaitingRowMapper.COLUMNS.listWithoutParams();

  /** Condition for triggers that a schedule planned and that are neither begun nor held. */
  private static final String UNBEGUN =
      "planned_at > 0 AND planned_at < :before AND ordinal = 0"
          + " AND job_version > 0 AND NOT begun AND due_at < "
          + WaitingTrigger.HELD;

  private final Database database;

  JdbcWaitingStore(Database database) {
    this.database = database;
  }

  @Override
  public void insert(String nodeGroup, List<WaitingTrigger> triggers) {
    String table = WaitingTableName.of(nodeGroup).toString();
    RowInsert<WaitingTrigger> insert =
        RowInsert.into(table, WaitingRowMapper.COLUMNS, trigger -> trigger.params().bytes());
    database.run(
        "insert " + triggers.size() + " waiting triggers of node group " + nodeGroup,
        () -> {
          insert.insert(database.jdbc(), triggers);
          database.written().inserted(nodeGroup, triggers);
        });
  }

  @Override
  public int delete(String nodeGroup, Collection<Long> ids) {
    return database.call(
        "delete " + ids.size() + " waiting triggers of node group " + nodeGroup,
        () -> {
          int deleted = rowsOf(nodeGroup).delete(ids);
          database.written().deleted(ids);
          return deleted;
        });
  }

  @Override
  public Set<Long> deleteEach(String nodeGroup, Collection<Long> ids) {
    return rowsOf(nodeGroup).deleteEach(ids);
  }

  @Override
  public boolean lock(String nodeGroup, long id) {
    return rowsOf(nodeGroup).lock(id);
  }

  @Override
  public Map<Long, String> readParams(String nodeGroup, Collection<Long> ids) {
    return rowsOf(nodeGroup).readParams(ids);
  }

  @Override
  public Optional<Level> nextLevel(String nodeGroup, int above) {
    int lowest = above + 1;
    return database.find(
        "find the next priority of node group " + nodeGroup,
        database.dialect().nextLevel(WaitingTableName.of(nodeGroup)),
        Map.of("lane", Level.laneOf(lowest), "lowest", Level.priorityOf(lowest)),
        (row, number) ->
            new Level(
                Level.numberOf(row.getInt("lane"), row.getInt("priority")), row.getLong("due_at")));
  }

  /** ORDER BY names every column of the index: H2 would sort all rows otherwise. */
  @Override
  public List<WaitingTrigger> readDue(
      String nodeGroup, int level, long dueAfter, long dueUntil, int limit) {
    return read(
        "read due triggers of node group " + nodeGroup,
        nodeGroup,
        """
        SELECT ${columns} FROM ${table} ${dueIndex}
        WHERE lane = :lane AND priority = :priority AND due_at > :dueAfter AND due_at <= :dueUntil
        ORDER BY lane, priority, due_at, id
        LIMIT :limit""",
        ofLevel(level, Map.of("dueAfter", dueAfter, "dueUntil", dueUntil, "limit", limit)));
  }

  /** ORDER BY names every column of the index: H2 would sort all rows otherwise. */
  @Override
  public List<WaitingTrigger> readDueAt(
      String nodeGroup, int level, long dueAt, long aboveId, int limit) {
    return read(
        "read triggers of node group " + nodeGroup + " that are due at one instant",
        nodeGroup,
        """
        SELECT ${columns} FROM ${table} ${dueIndex}
        WHERE lane = :lane AND priority = :priority AND due_at = :dueAt AND id > :aboveId
        ORDER BY lane, priority, due_at, id
        LIMIT :limit""",
        ofLevel(level, Map.of("dueAt", dueAt, "aboveId", aboveId, "limit", limit)));
  }

  @Override
  public List<WaitingTrigger> readByDue(
      String nodeGroup, int level, Direction direction, DuePlace behind, int limit) {
    return read(
        "read triggers of node group " + nodeGroup + " by due time",
        nodeGroup,
        WaitingListSql.byDue(direction),
        ofLevel(level, Map.of("dueAt", behind.dueAt(), "id", behind.id(), "limit", limit)));
  }

  private static Map<String, Object> ofLevel(int level, Map<String, ?> others) {
    Map<String, Object> values = new HashMap<>(others);
    values.put("lane", Level.laneOf(level));
    values.put("priority", Level.priorityOf(level));
    return values;
  }

  @Override
  public long countDue(String nodeGroup, long dueUntil, int bound) {
    return countDue(nodeGroup, 0, Integer.MAX_VALUE, dueUntil, bound);
  }

  @Override
  public long countDue(String nodeGroup, int lane, long dueUntil, int bound) {
    return countDue(nodeGroup, lane, lane, dueUntil, bound);
  }

  /** Skips from level to level, so that it reads only the rows that it counts. */
  private long countDue(String nodeGroup, int firstLane, int lastLane, long dueUntil, int bound) {
    return database.call(
        "count due triggers of node group " + nodeGroup,
        () -> {
          long count = 0;
          Optional<Level> level = nextLevel(nodeGroup, Level.numberOf(firstLane, 0) - 1);
          while (level.isPresent() && level.get().lane() <= lastLane && count < bound) {
            int number = level.get().number();
            if (level.get().earliestDueAt() <= dueUntil) {
              count += countDueOfLevel(nodeGroup, number, dueUntil, bound - count);
            }
            level = nextLevel(nodeGroup, number);
          }
          return count;
        });
  }

  @Override
  public OptionalLong nextDue(String nodeGroup, long after) {
    return database.call(
        "find what falls due next in node group " + nodeGroup,
        () -> {
          long next = WaitingTrigger.HELD;
          Optional<Level> level = nextLevel(nodeGroup, -1);
          while (level.isPresent()) {
            int number = level.get().number();
            long earliest = level.get().earliestDueAt();
            next = Math.min(next, earliest > after ? earliest : nextDue(nodeGroup, number, after));
            level = nextLevel(nodeGroup, number);
          }
          return next == WaitingTrigger.HELD ? OptionalLong.empty() : OptionalLong.of(next);
        });
  }

  private long nextDue(String nodeGroup, int level, long after) {
    String sql =
        """
        SELECT due_at FROM ${table} ${dueIndex}
        WHERE lane = :lane AND priority = :priority AND due_at > :after
        ORDER BY lane, priority, due_at, id
        LIMIT 1""";
    return database
        .sql(on(nodeGroup, sql))
        .params(ofLevel(level, Map.of("after", after)))
        .query(Long.class)
        .optional()
        .orElse(WaitingTrigger.HELD);
  }

  private long countDueOfLevel(String nodeGroup, int level, long dueUntil, long bound) {
    String sql =
        """
        SELECT COUNT(*) FROM (
          SELECT id FROM ${table} ${dueIndex}
          WHERE lane = :lane AND priority = :priority AND due_at <= :dueUntil
          LIMIT :bound) AS due""";
    return database
        .sql(on(nodeGroup, sql))
        .params(ofLevel(level, Map.of("dueUntil", dueUntil, "bound", bound)))
        .query(Long.class)
        .single();
  }

  @Override
  public List<WaitingTrigger> findOneShots(String nodeGroup, Collection<String> taskIds) {
    String table = WaitingTableName.of(nodeGroup).toString();
    String sql = database.dialect().selectByTasks(COLUMNS, table, "planned_at = 0 AND ordinal = 0");
    return database.listByTasks(
        "find " + taskIds.size() + " one-shots of node group " + nodeGroup,
        sql,
        taskIds,
        Map.of(),
        WaitingRowMapper::read);
  }

  @Override
  public List<WaitingTrigger> findByTask(String nodeGroup, String taskId) {
    return read(
        "find waiting triggers of " + nodeGroup + "/" + taskId,
        nodeGroup,
        """
        SELECT ${columnsWithoutParams} FROM ${table}
        WHERE task_id = :taskId
        ORDER BY task_id, planned_at, ordinal""",
        Map.of("taskId", taskId));
  }

  @Override
  public List<WaitingTrigger> findByTask(
      String nodeGroup, String taskId, long plannedFrom, int limit) {
    return read(
        "find the next waiting triggers of " + nodeGroup + "/" + taskId,
        nodeGroup,
        """
        SELECT ${columnsWithoutParams} FROM ${table}
        WHERE task_id = :taskId AND planned_at >= :plannedFrom
        ORDER BY task_id, planned_at, ordinal
        LIMIT :limit""",
        Map.of("taskId", taskId, "plannedFrom", plannedFrom, "limit", limit));
  }

  @Override
  public List<WaitingTrigger> readByTask(
      String nodeGroup, Direction direction, TriggerKey behind, int limit) {
    return read(
        "read waiting triggers of " + nodeGroup + "/" + behind.taskId(),
        nodeGroup,
        WaitingListSql.ofTask(direction),
        Columns.behind(nodeGroup, behind, limit));
  }

  @Override
  public Set<String> oneShotsNear(String nodeGroup, String taskId, int rows) {
    return database.call(
        "find one-shots near " + nodeGroup + "/" + taskId,
        () -> {
          Set<String> near = new TreeSet<>(oneShotsFrom(nodeGroup, taskId, rows, ">=", "ASC"));
          near.addAll(oneShotsFrom(nodeGroup, taskId, rows, "<", "DESC"));
          return near;
        });
  }

  /** Bounds the rows before it filters them: a job that fires often has many. */
  private Set<String> oneShotsFrom(
      String nodeGroup, String taskId, int rows, String beyond, String order) {
    String sql =
        """
        SELECT task_id FROM (
          SELECT task_id, planned_at, ordinal FROM ${table}
          WHERE task_id ${beyond} :taskId
          ORDER BY task_id ${order}, planned_at ${order}, ordinal ${order}
          LIMIT :rows) AS near
        WHERE planned_at = 0 AND ordinal = 0"""
            .replace("${beyond}", beyond)
            .replace("${order}", order);
    return database
        .sql(on(nodeGroup, sql))
        .params(Map.of("taskId", taskId, "rows", rows))
        .query(String.class)
        .set();
  }

  @Override
  public List<WaitingTrigger> findHeld(String nodeGroup, String taskId, int limit) {
    return read(
        "find held triggers of " + nodeGroup + "/" + taskId,
        nodeGroup,
        """
        SELECT ${columns} FROM ${table}
        WHERE task_id = :taskId AND due_at = :held AND job_version > 0
        ORDER BY task_id, planned_at, ordinal
        LIMIT :limit""",
        Map.of("taskId", taskId, "held", WaitingTrigger.HELD, "limit", limit));
  }

  @Override
  public List<WaitingTrigger> findUnbegun(
      String nodeGroup, Collection<String> taskIds, long plannedBefore, int limit) {
    String table = WaitingTableName.of(nodeGroup).toString();
    String sql = database.dialect().selectByTasks(COLUMNS, table, UNBEGUN) + " LIMIT :limit";
    return database
        .listByTasks(
            "find triggers of "
                + taskIds.size()
                + " tasks of "
                + nodeGroup
                + " that have not begun",
            sql,
            taskIds,
            Map.of("before", plannedBefore, "limit", limit),
            WaitingRowMapper::read)
        .stream()
        .limit(limit)
        .toList();
  }

  /** ORDER BY names every column of the index: H2 would sort all rows otherwise. */
  @Override
  public List<WaitingTrigger> findOldestUnbegun(
      String nodeGroup, String taskId, long plannedBefore, int limit) {
    return read(
        "find triggers of " + nodeGroup + "/" + taskId + " that have not begun",
        nodeGroup,
        """
        SELECT ${columns} FROM ${table}
        WHERE task_id = :taskId AND %s
        ORDER BY task_id, planned_at, ordinal
        LIMIT :limit"""
            .formatted(UNBEGUN),
        Map.of("taskId", taskId, "before", plannedBefore, "limit", limit));
  }

  @Override
  public List<ListedTrigger> list(String nodeGroup, long aboveId, int limit) {
    String sql =
        """
        SELECT id, task_id, planned_at, ordinal, job_id, job_version FROM ${table}
        WHERE id > :aboveId
        ORDER BY id
        LIMIT :limit""";
    return database.list(
        "list waiting triggers of node group " + nodeGroup,
        on(nodeGroup, sql),
        Map.of("aboveId", aboveId, "limit", limit),
        (row, number) ->
            new ListedTrigger(
                row.getLong("id"),
                Columns.readKey(row),
                row.getLong("job_id"),
                row.getInt("job_version")));
  }

  @Override
  public List<Tally> tally(String nodeGroup, Collection<String> taskIds, long after, long until) {
    String columns =
        """
        task_id,
          SUM(CASE WHEN ordinal = 0 THEN 1 ELSE 0 END) AS planned,
          SUM(CASE WHEN ordinal = 0 AND planned_at > :after AND planned_at <= :until
            THEN 1 ELSE 0 END) AS ahead,
          SUM(CASE WHEN begun AND due_at < :held THEN 1 ELSE 0 END) AS begun,
          SUM(CASE WHEN due_at = :held THEN 1 ELSE 0 END) AS held""";
    String table = WaitingTableName.of(nodeGroup).toString();
    String sql =
        database.dialect().selectByTasks(columns, table, "job_version > 0") + " GROUP BY task_id";
    return database.listByTasks(
        "tally waiting triggers of " + taskIds.size() + " task ids of node group " + nodeGroup,
        sql,
        taskIds,
        Map.of("after", after, "until", until, "held", WaitingTrigger.HELD),
        WaitingRowMapper::readTally);
  }

  private List<WaitingTrigger> read(
      String what, String nodeGroup, String sql, Map<String, ?> values) {
    return database.list(what, on(nodeGroup, sql), values, WaitingRowMapper::read);
  }

  private RowsById rowsOf(String nodeGroup) {
    return new RowsById(database, WaitingTableName.of(nodeGroup).toString());
  }

  private String on(String nodeGroup, String sql) {
    WaitingTableName table = WaitingTableName.of(nodeGroup);
    return sql.replace("${columns}", COLUMNS)
        .replace("${columnsWithoutParams}", WITHOUT_PARAMS)
        .replace("${table}", table.toString())
        .replace("${dueIndex}", database.dialect().dueIndexHint(table));
  }
}
