package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.WaitingTableName;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The names of node groups that other tables mention. */
final class MentionedNodeGroups {
  private static final int LEDGER_ROWS = 10_000;
  private static final String LOWEST_CHARACTER = "-";
  private static final String BATCHES = "jt_batch ";

  private final Database database;

  MentionedNodeGroups(Database database) {
    this.database = database;
  }

  /** Returns the node groups of recurring jobs. */
  Set<String> ofJobs() {
    Set<String> names = new TreeSet<>();
    return database.call(
        "find the node groups of jobs",
        () -> {
          Optional<String> unused = firstOf("jt_job", name -> !names.add(name));
          return names;
        });
  }

  /**
   * Returns the mentioned node group whose waiting table has this name. Batches have two indexes
   * that begin with the node group, and one of them would have to be sorted.
   */
  Optional<String> find(String table) {
    String hint = database.dialect().indexHint("ix_batch_task");
    return database.call(
        "find the node group of " + table,
        () ->
            firstOf("jt_job", name -> WaitingTableName.isOf(name, table))
                .or(() -> firstOf("jt_executing", name -> WaitingTableName.isOf(name, table)))
                .or(() -> firstOf(BATCHES + hint, name -> WaitingTableName.isOf(name, table)))
                .or(() -> amongLatestEnds(table)));
  }

  /**
   * Reads one name after the other, so that the cost depends on the number of names, not of rows.
   * The bound is inclusive: with an exclusive one H2 would read all rows of the previous name. The
   * earliest possible next name is the previous one followed by the lowest character of names.
   */
  private Optional<String> firstOf(String mentioning, Predicate<String> isWanted) {
    String sql =
        "SELECT node_group FROM "
            + mentioning
            + " WHERE node_group >= :lowest ORDER BY node_group, task_id LIMIT 1";
    String lowest = LOWEST_CHARACTER;
    while (true) {
      Optional<String> next =
          database.sql(sql).param("lowest", lowest).query(String.class).optional();
      if (next.isEmpty() || isWanted.test(next.get())) {
        return next;
      }
      lowest = next.get() + LOWEST_CHARACTER;
    }
  }

  private Optional<String> amongLatestEnds(String table) {
    String sql =
        """
        SELECT DISTINCT node_group FROM (
          SELECT node_group FROM jt_history ORDER BY id DESC LIMIT :rows) AS latest""";
    return database.sql(sql).param("rows", LEDGER_ROWS).query(String.class).list().stream()
        .filter(name -> WaitingTableName.isOf(name, table))
        .findFirst();
  }
}
