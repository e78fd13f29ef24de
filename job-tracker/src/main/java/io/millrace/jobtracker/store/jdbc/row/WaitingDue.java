package io.millrace.jobtracker.store.jdbc.row;

import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.WaitingStore.Level;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.WaitingTableName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads and counts waiting rows in the index that orders them by priority and due time. */
public final class WaitingDue {
  private static final String COLUMNS = WaitingRowMapper.COLUMNS.listInlined();

  private final Database database;

  public WaitingDue(Database database) {
    this.database = database;
  }

  /**
   * ORDER BY names every column of the index: H2 would sort all rows otherwise. The bound is
   * inclusive: with an exclusive one H2 would begin at the excluded priority and read all its rows.
   */
  public Optional<Level> nextLevel(String nodeGroup, int above) {
    String sql =
        """
        SELECT priority, due_at FROM ${table} ${dueIndex}
        WHERE priority >= :lowest
        ORDER BY priority, due_at, id
        LIMIT 1""";
    return database.find(
        "find the next priority of node group " + nodeGroup,
        on(nodeGroup, sql),
        Map.of("lowest", above + 1),
        (row, number) -> new Level(row.getInt("priority"), row.getLong("due_at")));
  }

  /** ORDER BY names every column of the index: H2 would sort all rows otherwise. */
  public List<WaitingTrigger> read(
      String nodeGroup, int priority, long dueAfter, long dueUntil, int limit) {
    String sql =
        """
        SELECT ${columns} FROM ${table} ${dueIndex}
        WHERE priority = :priority AND due_at > :dueAfter AND due_at <= :dueUntil
        ORDER BY priority, due_at, id
        LIMIT :limit""";
    return database.list(
        "read due triggers of node group " + nodeGroup,
        on(nodeGroup, sql),
        Map.of("priority", priority, "dueAfter", dueAfter, "dueUntil", dueUntil, "limit", limit),
        WaitingRowMapper::read);
  }

  /** ORDER BY names every column of the index: H2 would sort all rows otherwise. */
  public List<WaitingTrigger> readAt(
      String nodeGroup, int priority, long dueAt, long aboveId, int limit) {
    String sql =
        """
        SELECT ${columns} FROM ${table} ${dueIndex}
        WHERE priority = :priority AND due_at = :dueAt AND id > :aboveId
        ORDER BY priority, due_at, id
        LIMIT :limit""";
    return database.list(
        "read triggers of node group " + nodeGroup + " that are due at one instant",
        on(nodeGroup, sql),
        Map.of("priority", priority, "dueAt", dueAt, "aboveId", aboveId, "limit", limit),
        WaitingRowMapper::read);
  }

  /** Skips from priority to priority, so that it reads only the rows that it counts. */
  public long count(String nodeGroup, long dueUntil, int bound) {
    return database.call(
        "count due triggers of node group " + nodeGroup,
        () -> {
          long count = 0;
          Optional<Level> level = nextLevel(nodeGroup, -1);
          while (level.isPresent() && count < bound) {
            int priority = level.get().priority();
            if (level.get().earliestDueAt() <= dueUntil) {
              count += count(nodeGroup, priority, dueUntil, bound - count);
            }
            level = nextLevel(nodeGroup, priority);
          }
          return count;
        });
  }

  public OptionalLong next(String nodeGroup, long after) {
    return database.call(
        "find what falls due next in node group " + nodeGroup,
        () -> {
          long next = WaitingTrigger.HELD;
          Optional<Level> level = nextLevel(nodeGroup, -1);
          while (level.isPresent()) {
            int priority = level.get().priority();
            long earliest = level.get().earliestDueAt();
            next = Math.min(next, earliest > after ? earliest : next(nodeGroup, priority, after));
            level = nextLevel(nodeGroup, priority);
          }
          return next == WaitingTrigger.HELD ? OptionalLong.empty() : OptionalLong.of(next);
        });
  }

  private long next(String nodeGroup, int priority, long after) {
    String sql =
        """
        SELECT due_at FROM ${table} ${dueIndex}
        WHERE priority = :priority AND due_at > :after
        ORDER BY priority, due_at, id
        LIMIT 1""";
    return database
        .sql(on(nodeGroup, sql))
        .param("priority", priority)
        .param("after", after)
        .query(Long.class)
        .optional()
        .orElse(WaitingTrigger.HELD);
  }

  private long count(String nodeGroup, int priority, long dueUntil, long bound) {
    String sql =
        """
        SELECT COUNT(*) FROM (
          SELECT id FROM ${table} ${dueIndex}
          WHERE priority = :priority AND due_at <= :dueUntil
          LIMIT :bound) AS due""";
    return database
        .sql(on(nodeGroup, sql))
        .param("priority", priority)
        .param("dueUntil", dueUntil)
        .param("bound", bound)
        .query(Long.class)
        .single();
  }

  private String on(String nodeGroup, String sql) {
    WaitingTableName table = WaitingTableName.of(nodeGroup);
    return sql.replace("${columns}", COLUMNS)
        .replace("${table}", table.toString())
        .replace("${dueIndex}", database.dialect().dueIndexHint(table));
  }
}
