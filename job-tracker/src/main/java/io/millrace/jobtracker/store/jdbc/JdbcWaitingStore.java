package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.WaitingStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.row.RowsById;
import io.millrace.jobtracker.store.jdbc.row.WaitingDue;
import io.millrace.jobtracker.store.jdbc.row.WaitingRowMapper;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import io.millrace.jobtracker.store.jdbc.sql.WaitingTableName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
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
  private final WaitingDue due;

  JdbcWaitingStore(Database database) {
    this.database = database;
    this.due = new WaitingDue(database);
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
    return due.nextLevel(nodeGroup, above);
  }

  @Override
  public List<WaitingTrigger> readDue(
      String nodeGroup, int priority, long dueAfter, long dueUntil, int limit) {
    return due.read(nodeGroup, priority, dueAfter, dueUntil, limit);
  }

  @Override
  public List<WaitingTrigger> readDueAt(
      String nodeGroup, int priority, long dueAt, long aboveId, int limit) {
    return due.readAt(nodeGroup, priority, dueAt, aboveId, limit);
  }

  @Override
  public long countDue(String nodeGroup, long dueUntil, int bound) {
    return due.count(nodeGroup, dueUntil, bound);
  }

  @Override
  public OptionalLong nextDue(String nodeGroup, long after) {
    return due.next(nodeGroup, after);
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
    String sql =
        """
        SELECT %s FROM ${table}
        WHERE task_id = :taskId
        ORDER BY task_id, planned_at, ordinal"""
            .formatted(WITHOUT_PARAMS);
    return database.list(
        "find waiting triggers of " + nodeGroup + "/" + taskId,
        on(nodeGroup, sql),
        Map.of("taskId", taskId),
        WaitingRowMapper::read);
  }

  @Override
  public List<WaitingTrigger> findByTask(
      String nodeGroup, String taskId, long plannedFrom, int limit) {
    String sql =
        """
        SELECT %s FROM ${table}
        WHERE task_id = :taskId AND planned_at >= :plannedFrom
        ORDER BY task_id, planned_at, ordinal
        LIMIT :limit"""
            .formatted(WITHOUT_PARAMS);
    return database.list(
        "find the next waiting triggers of " + nodeGroup + "/" + taskId,
        on(nodeGroup, sql),
        Map.of("taskId", taskId, "plannedFrom", plannedFrom, "limit", limit),
        WaitingRowMapper::read);
  }

  /** ORDER BY names every column of the index: H2 would sort all rows otherwise. */
  @Override
  public List<WaitingTrigger> readByTask(String nodeGroup, TriggerKey behind, int limit) {
    String sql =
        """
        SELECT %s FROM ${table}
        WHERE task_id = :taskId AND planned_at >= :plannedAt
          AND (planned_at > :plannedAt OR ordinal > :ordinal)
        ORDER BY task_id, planned_at, ordinal
        LIMIT :limit"""
            .formatted(WITHOUT_PARAMS);
    return database.list(
        "read waiting triggers of " + nodeGroup + "/" + behind.taskId(),
        on(nodeGroup, sql),
        Columns.behind(nodeGroup, behind, limit),
        WaitingRowMapper::read);
  }

  @Override
  public Set<String> oneShotsNear(String nodeGroup, String taskId, int rows) {
    return database.call(
        "find one-shots near " + nodeGroup + "/" + taskId,
        () -> {
          Set<String> near = new TreeSet<>();
          near.addAll(oneShotsFrom(nodeGroup, taskId, rows, ">=", "ASC"));
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
        .param("taskId", taskId)
        .param("rows", rows)
        .query(String.class)
        .set();
  }

  @Override
  public List<WaitingTrigger> findHeld(String nodeGroup, String taskId, int limit) {
    String sql =
        """
        SELECT ${columns} FROM ${table}
        WHERE task_id = :taskId AND due_at = :held AND job_version > 0
        ORDER BY task_id, planned_at, ordinal
        LIMIT :limit""";
    return database.list(
        "find held triggers of " + nodeGroup + "/" + taskId,
        on(nodeGroup, sql),
        Map.of("taskId", taskId, "held", WaitingTrigger.HELD, "limit", limit),
        WaitingRowMapper::read);
  }

  @Override
  public List<WaitingTrigger> findUnbegun(
      String nodeGroup, Collection<String> taskIds, long plannedBefore, int limit) {
    String table = WaitingTableName.of(nodeGroup).toString();
    String sql = database.dialect().selectByTasks(COLUMNS, table, UNBEGUN) + " LIMIT :limit";
    return database.call(
        "find triggers of " + taskIds.size() + " task ids of " + nodeGroup + " that have not begun",
        () ->
            database.dialect().inLists(taskIds).stream()
                .flatMap(
                    list ->
                        database
                            .sql(sql)
                            .param("taskIds", list)
                            .param("before", plannedBefore)
                            .param("limit", limit)
                            .query(WaitingRowMapper::read)
                            .stream())
                .limit(limit)
                .toList());
  }

  /** ORDER BY names every column of the index: H2 would sort all rows otherwise. */
  @Override
  public List<WaitingTrigger> findOldestUnbegun(
      String nodeGroup, String taskId, long plannedBefore, int limit) {
    String sql =
        """
        SELECT ${columns} FROM ${table}
        WHERE task_id = :taskId AND %s
        ORDER BY task_id, planned_at, ordinal
        LIMIT :limit"""
            .formatted(UNBEGUN);
    return database.list(
        "find triggers of " + nodeGroup + "/" + taskId + " that have not begun",
        on(nodeGroup, sql),
        Map.of("taskId", taskId, "before", plannedBefore, "limit", limit),
        WaitingRowMapper::read);
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
        JdbcWaitingStore::readTally);
  }

  private static Tally readTally(ResultSet row, int rowNumber) throws SQLException {
    return new Tally(
        row.getString("task_id"),
        row.getInt("planned"),
        row.getInt("ahead"),
        row.getInt("begun"),
        row.getInt("held"));
  }

  private RowsById rowsOf(String nodeGroup) {
    return new RowsById(database, WaitingTableName.of(nodeGroup).toString());
  }

  private static String on(String nodeGroup, String sql) {
    return sql.replace("${columns}", COLUMNS)
        .replace("${table}", WaitingTableName.of(nodeGroup).toString());
  }
}
