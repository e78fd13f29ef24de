package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.jdbc.connect.RetryPause;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.jobtracker.store.jdbc.connect.StoreConnections;
import io.millrace.jobtracker.store.jdbc.schema.AppliedMigrations;
import io.millrace.jobtracker.store.jdbc.schema.Migrations;
import io.millrace.jobtracker.store.jdbc.schema.SchemaFindings;
import io.millrace.jobtracker.store.jdbc.schema.SchemaSql;
import io.millrace.jobtracker.store.jdbc.schema.ScratchDatabase;
import io.millrace.jobtracker.store.jdbc.schema.TableShape;
import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import io.millrace.jobtracker.store.jdbc.sql.WaitingTableName;
import io.millrace.jobtracker.store.jdbc.sql.WaitingTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** Inspects and upgrades the tables of one database without a tracker. */
public final class JdbcSchema {
  private static final String HISTORY = AppliedMigrations.TABLE;

  /** Tables that are not compared: Flyway's own, and the one that H2 needs for migration turns. */
  private static final Set<String> NOT_COMPARED = Set.of(HISTORY, "jt_migration_turn");

  private static final String SOME_GROUP = "any";
  private static final int DATABASE_IS_NOT_THERE = 90146;

  private final StoreConfig config;
  private final Dialect dialect;

  public JdbcSchema(StoreConfig config) {
    this.config = config;
    this.dialect = config.dialect();
  }

  /** A node group as stored in its row. */
  private record Group(String name, String table, int version) {
    boolean isOutdated() {
      return version < WaitingTables.SCHEMA_VERSION;
    }
  }

  /**
   * The result of an inspection; without a database there are no tables and everything is pending.
   */
  private record Look(
      boolean isThere,
      AppliedMigrations migrations,
      Map<String, TableShape> tables,
      List<Group> groups) {

    List<MigrationInfo> pending() {
      return migrations.pending();
    }

    List<Group> outdated() {
      return groups.stream().filter(Group::isOutdated).toList();
    }
  }

  /**
   * Upgrades the tables as the start of a tracker does.
   *
   * @return what it did, a line each; empty if there was nothing to do
   * @throws StoreException if the database cannot be reached or changed
   */
  public List<String> migrate() {
    Look before = look();
    JdbcStores.open(config).close();
    Set<String> left =
        look().pending().stream().map(AppliedMigrations::nameOf).collect(Collectors.toSet());
    Stream<String> applied =
        before.pending().stream()
            .map(AppliedMigrations::nameOf)
            .filter(name -> !left.contains(name))
            .map(name -> "applied " + name);
    Stream<String> upgraded =
        before.outdated().stream()
            .map(
                group ->
                    "upgraded " + group.table() + " to version " + WaitingTables.SCHEMA_VERSION);
    return Stream.concat(applied, upgraded).toList();
  }

  /**
   * As {@link #migrate}, also if a former version of Millrace recorded a migration as failed.
   * Altered migrations are not repaired.
   *
   * @return what it did, a line each; empty if there was nothing to do
   * @throws StoreException if the database cannot be reached or changed, or an applied migration
   *     differs from that of this version
   */
  public List<String> repair() {
    DataSource source = StoreConnections.ofMigrations(config);
    try (Connection keptOpen = source.getConnection()) {
      Stream<String> repaired =
          Migrations.repair(source, dialect, RetryPause.sleeping()).stream()
              .map(one -> "applied " + AppliedMigrations.nameOf(one) + ", which had failed before");
      return Stream.concat(repaired, migrate().stream()).toList();
    } catch (SQLException e) {
      throw unreachable(e);
    }
  }

  /**
   * Checks whether the database fits this version; changes nothing.
   *
   * @throws StoreException if it cannot be inspected
   */
  public SchemaFindings inspect() {
    Look look = look();
    List<String> differences = new ArrayList<>();
    if (!look.isThere()) {
      differences.add("the database at " + config.printableUrl() + " does not exist yet");
    }
    look.pending()
        .forEach(one -> differences.add(AppliedMigrations.nameOf(one) + " has not been applied"));
    differences.addAll(look.migrations().damages());
    if (look.isThere() && look.pending().isEmpty()) {
      differences.addAll(compare(look));
    }
    return new SchemaFindings(
        differences,
        look.migrations().newer().stream()
            .map(
                one ->
                    AppliedMigrations.nameOf(one)
                        + " is of a newer version, with which this one is compatible")
            .toList());
  }

  /**
   * Returns the SQL of everything that has not been applied yet; only a comment if nothing is
   * pending.
   */
  public String pendingSql() {
    Look look = look();
    SchemaSql sql = new SchemaSql(dialect).head("What " + config.printableUrl() + " lacks");
    if (look.pending().isEmpty() && look.outdated().isEmpty()) {
      return sql + "\n-- Nothing: all tables are up to date.\n";
    }
    if (!look.tables().containsKey(HISTORY)) {
      sql.history();
    }
    sql.migrations(look.pending());
    look.outdated().forEach(group -> sql.upgrade(group.name(), group.version()));
    return sql.toString();
  }

  /**
   * Returns the SQL of everything, for an empty database. Does not connect to the target database.
   *
   * @param nodeGroups the node groups whose tables to create as well
   * @throws IllegalArgumentException if one of them is not a valid node group name
   */
  public static String sql(Dialect dialect, Collection<String> nodeGroups) {
    SchemaSql sql = new SchemaSql(dialect).head("All tables of Millrace").history();
    try (ScratchDatabase scratch = new ScratchDatabase()) {
      sql.migrations(scratch.allMigrations(dialect));
    }
    sql.waitingTableTemplate();
    nodeGroups.forEach(sql::nodeGroup);
    return sql.toString();
  }

  // The actual state.

  private Look look() {
    DataSource source = StoreConnections.ofExisting(config);
    try (Connection connection = source.getConnection()) {
      return look(source, connection);
    } catch (SQLException e) {
      if (e.getErrorCode() == DATABASE_IS_NOT_THERE) {
        return nothing();
      }
      throw unreachable(e);
    }
  }

  private StoreException unreachable(SQLException e) {
    return new StoreException(
        "cannot connect to " + config.printableUrl() + ": " + e.getMessage(), e);
  }

  private Look nothing() {
    try (ScratchDatabase scratch = new ScratchDatabase()) {
      AppliedMigrations none = AppliedMigrations.read(scratch.source(), dialect);
      return new Look(false, none, Map.of(), List.of());
    }
  }

  private Look look(DataSource source, Connection connection) {
    try {
      Map<String, TableShape> tables = TableShape.read(connection);
      return new Look(
          true,
          AppliedMigrations.read(source, dialect),
          tables,
          tables.containsKey("jt_node_group") ? groups(connection) : List.of());
    } catch (SQLException | DataAccessException | FlywayException e) {
      throw new StoreException(
          "cannot read the tables of " + config.printableUrl() + ": " + e.getMessage(), e);
    }
  }

  private static List<Group> groups(Connection connection) {
    return new JdbcTemplate(new SingleConnectionDataSource(connection, true))
        .query(
            "SELECT name, table_name, schema_version FROM jt_node_group ORDER BY name",
            (row, number) -> new Group(row.getString(1), row.getString(2), row.getInt(3)));
  }

  // The wanted state.

  private static List<String> compare(Look look) {
    Map<String, TableShape> wanted = new TreeMap<>(reference());
    TableShape waiting = wanted.remove(WaitingTableName.of(SOME_GROUP).toString());
    wanted.keySet().removeAll(NOT_COMPARED);
    List<String> differences = new ArrayList<>();
    wanted.forEach(
        (table, shape) -> differences.addAll(TableShape.lacks(look.tables(), table, shape)));
    for (Group group : look.groups()) {
      if (group.isOutdated()) {
        differences.add(
            "table %s of node group %s has version %d instead of %d"
                .formatted(
                    group.table(), group.name(), group.version(), WaitingTables.SCHEMA_VERSION));
      } else if (waiting != null) {
        differences.addAll(TableShape.lacks(look.tables(), group.table(), waiting));
      }
    }
    return differences;
  }

  /**
   * Returns the tables as the migrations create them on H2 in memory: names, columns and indexes
   * are the same on every database.
   */
  private static Map<String, TableShape> reference() {
    try (ScratchDatabase scratch = new ScratchDatabase();
        JdbcStores stores = JdbcStores.open(scratch.config());
        Connection connection = scratch.source().getConnection()) {
      stores.stores().nodeGroups().ensure(SOME_GROUP, 1);
      return TableShape.read(connection);
    } catch (SQLException e) {
      throw new StoreException("cannot create the tables in memory: " + e.getMessage(), e);
    }
  }
}
