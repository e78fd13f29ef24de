package io.millrace.jobtracker.store.jdbc.schema;

import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import io.millrace.jobtracker.store.jdbc.sql.SchemaScripts;
import io.millrace.jobtracker.store.jdbc.sql.WaitingTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.flywaydb.core.api.MigrationInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** Checks the user's rights for a migration before it changes anything. */
final class RightsCheck {
  private static final Logger LOG = LoggerFactory.getLogger(RightsCheck.class);

  private RightsCheck() {}

  /**
   * Checks the rights for the pending migrations. Passes if rights cannot be read or understood:
   * then the database itself refuses.
   *
   * @throws StoreException naming the missing rights and the GRANT statement that grants them
   */
  static void require(Connection connection, Dialect dialect, List<MigrationInfo> pending) {
    String showsGrants = dialect.showsGrants().orElse("");
    if (showsGrants.isEmpty()) {
      return;
    }
    JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
    Set<Rights.Right> missing;
    String grant;
    try {
      Set<Rights.Right> needed = needed(dialect, pending);
      if (hasOutdatedWaitingTables(jdbc)) {
        needed.add(Rights.Right.ALTER);
      }
      String database = connection.getCatalog();
      List<String> grants = jdbc.queryForList(showsGrants, String.class);
      missing = Rights.missing(needed, grants, database).orElse(Set.of());
      if (missing.isEmpty()) {
        return;
      }
      String user = jdbc.queryForList("SELECT CURRENT_USER()", String.class).get(0);
      grant = Rights.grant(missing, database, user);
    } catch (SQLException | DataAccessException e) {
      LOG.debug("rights cannot be read", e);
      return;
    }
    throw new StoreException(
        "the database user lacks rights: %s. Nothing has been changed. Grant them with: %s"
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

  /** Returns false if the table of node groups does not exist or cannot be read. */
  private static boolean hasOutdatedWaitingTables(JdbcTemplate jdbc) {
    try {
      return !jdbc.queryForList(
              "SELECT name FROM jt_node_group WHERE schema_version < ? LIMIT 1",
              String.class,
              WaitingTables.SCHEMA_VERSION)
          .isEmpty();
    } catch (DataAccessException e) {
      LOG.debug("node groups cannot be read", e);
      return false;
    }
  }
}
