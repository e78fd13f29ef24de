package io.millrace.jobtracker.store.jdbc;

import java.util.Optional;

/** Looks for the node group of a waiting table among the names that other tables mention. */
final class MentionedNodeGroups {
  private static final int LEDGER_ROWS = 10_000;
  private static final String LOWEST_CHARACTER = "-";

  private final Database database;

  MentionedNodeGroups(Database database) {
    this.database = database;
  }

  /** Asks for one name after the other, which costs as much as there are names, not rows. */
  Optional<String> find(String table) {
    return database.call(
        "find the node group of " + table,
        () ->
            among("jt_job", table)
                .or(() -> among("jt_executing", table))
                .or(() -> amongLatestEnds(table)));
  }

  /**
   * The bound is an inclusive one, or H2 would read all rows of the name before. After that name
   * comes, at the earliest, itself with the lowest character that a name may have.
   */
  private Optional<String> among(String mentioning, String table) {
    String sql =
        "SELECT node_group FROM "
            + mentioning
            + " WHERE node_group >= :lowest ORDER BY node_group, task_id LIMIT 1";
    String lowest = LOWEST_CHARACTER;
    while (true) {
      Optional<String> next =
          database.sql(sql).param("lowest", lowest).query(String.class).optional();
      if (next.isEmpty() || WaitingTableName.isOf(next.get(), table)) {
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
