package io.millrace.jobtracker.store.jdbc.schema;

import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import io.millrace.jobtracker.store.jdbc.sql.SchemaScripts;
import io.millrace.jobtracker.store.jdbc.sql.WaitingTableName;
import io.millrace.jobtracker.store.jdbc.sql.WaitingTables;
import java.util.Collection;
import java.util.stream.Collectors;
import org.flywaydb.core.api.MigrationInfo;

/** Writes SQL for operators who run it by hand, in the order of execution. */
public final class SchemaSql {
  private static final String NOTES =
      """
      -- Which migrations have been applied stands in jt_schema_history. The INSERT behind each migration belongs to
      -- it: without that row the next tracker applies the migration again, and passes over what exists.
      """;
  private static final String WAITING_TABLES =
      """
      -- Waiting tables: one for each node group. A tracker makes the table and its row in jt_node_group when the first
      -- job or worker of the group comes, from the template below, and brings tables of former versions up to date
      -- by the upgrades below when it starts. Both are comments here, because the names depend on the node groups:
      -- where trackers may not create tables, have this printed for each node group by --node-group.
      """;

  private final Dialect dialect;
  private final SchemaScripts scripts;
  private final StringBuilder text = new StringBuilder();

  public SchemaSql(Dialect dialect) {
    this.dialect = dialect;
    this.scripts = new SchemaScripts(dialect);
  }

  public SchemaSql head(String what) {
    text.append("-- ")
        .append(what)
        .append(" for ")
        .append(dialect.schemaFolder())
        .append(
            """
            .
            -- A tracker runs all this by itself when it starts, and so does millrace db migrate. By hand: as a user that may
            -- create and alter tables, from top to bottom, and no further than the first error.
            """);
    return this;
  }

  /** Adds the table that records applied migrations. */
  public SchemaSql history() {
    heading("jt_schema_history");
    text.append(NOTES).append(scripts.history());
    return this;
  }

  public SchemaSql migrations(Collection<MigrationInfo> migrations) {
    for (MigrationInfo migration : migrations) {
      heading(migration.getScript());
      text.append(scripts.migration(migration)).append('\n').append(scripts.historyRow(migration));
    }
    return this;
  }

  /** Adds the template and its upgrades, as comments. */
  public SchemaSql waitingTableTemplate() {
    heading("waiting tables");
    text.append(WAITING_TABLES).append("--\n").append(asComment(scripts.waitingTable()));
    for (int version = 2; version <= WaitingTables.SCHEMA_VERSION; version++) {
      text.append("--\n").append(asComment(scripts.waitingTableUpgrade(version)));
    }
    return this;
  }

  private static String asComment(String script) {
    return script
        .lines()
        .map(line -> ("-- " + line).stripTrailing() + "\n")
        .collect(Collectors.joining());
  }

  /** Adds the table of a new node group, and its row. */
  public SchemaSql nodeGroup(String name) {
    WaitingTableName table = WaitingTableName.of(name);
    heading("node group " + name);
    text.append(scripts.waitingTable().replace("${table}", table.toString()))
        .append(
            """

            INSERT INTO jt_node_group (name, table_name, schema_version, owner, epoch, created_at, write_seq)
            VALUES ('%s', '%s', %d, NULL, 0, %s, 0);
            """
                .formatted(name, table, WaitingTables.SCHEMA_VERSION, dialect.nowMillis()));
    return this;
  }

  /** Adds the upgrade of a node group's table to the current version. */
  public SchemaSql upgrade(String name, int fromVersion) {
    WaitingTableName table = WaitingTableName.of(name);
    heading("waiting table of node group " + name);
    for (int version = fromVersion + 1; version <= WaitingTables.SCHEMA_VERSION; version++) {
      text.append(scripts.waitingTableUpgrade(version).replace("${table}", table.toString()));
    }
    text.append(
        """

        UPDATE jt_node_group SET write_seq = write_seq + 1, schema_version = %d
        WHERE name = '%s' AND schema_version < %d;
        """
            .formatted(WaitingTables.SCHEMA_VERSION, name, WaitingTables.SCHEMA_VERSION));
    return this;
  }

  private void heading(String what) {
    text.append("\n-- ======== ").append(what).append("\n\n");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
