package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.store.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.flywaydb.core.api.MigrationInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks whether the user may do what is to be done, before any of it is. */
final class RightsCheck {
  private static final Logger LOG = LoggerFactory.getLogger(RightsCheck.class);

  private RightsCheck() {}

  /**
   * Says nothing where rights cannot be read or understood: then the database itself will refuse.
   *
   * @throws StoreException naming the rights that are missing, and the GRANT that gives them
   */
  static void require(Connection connection, Dialect dialect, List<MigrationInfo> pending) {
    String showsGrants = dialect.showsGrants().orElse("");
    if (showsGrants.isEmpty()) {
      return;
    }
    Set<Rights.Right> missing;
    String grant;
    try {
      Set<Rights.Right> needed = needed(dialect, pending);
      if (hasOutdatedWaitingTables(connection)) {
        needed.add(Rights.Right.ALTER);
      }
      String database = connection.getCatalog();
      missing = Rights.missing(needed, column(connection, showsGrants), database).orElse(Set.of());
      if (missing.isEmpty()) {
        return;
      }
      String user = column(connection, "SELECT CURRENT_USER()").get(0);
      grant = Rights.grant(missing, database, user);
    } catch (SQLException e) {
      LOG.debug("rights cannot be read", e);
      return;
    }
    throw new StoreException(
        "the user of the database lacks rights: %s. Nothing has been changed. Give them by: %s"
            .formatted(missing.stream().map(Enum::name).collect(Collectors.joining(", ")), grant),
        null);
  }

  private static Set<Rights.Right> needed(Dialect dialect, List<MigrationInfo> pending) {
    SchemaScripts scripts = new SchemaScripts(dialect);
    Set<Rights.Right> needed = EnumSet.copyOf(Rights.OF_ROWS);
    for (MigrationInfo migration : pending) {
      SchemaScripts.statements(scripts.migration(migration))
          .forEach(statement -> needed.addAll(Rights.neededBy(statement)));
    }
    return needed;
  }

  /** False where there is no table of node groups yet, or none that may be read. */
  private static boolean hasOutdatedWaitingTables(Connection connection) {
    try {
      return !column(
              connection,
              "SELECT name FROM jt_node_group WHERE schema_version < "
                  + WaitingTables.SCHEMA_VERSION
                  + " LIMIT 1")
          .isEmpty();
    } catch (SQLException e) {
      LOG.debug("node groups cannot be read", e);
      return false;
    }
  }

  private static List<String> column(Connection connection, String query) throws SQLException {
    List<String> values = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }
}
