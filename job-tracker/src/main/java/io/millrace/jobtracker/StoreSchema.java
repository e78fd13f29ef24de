package io.millrace.jobtracker;

import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.store.jdbc.JdbcSchema;
import io.millrace.jobtracker.store.jdbc.h2.H2Dialect;
import io.millrace.jobtracker.store.jdbc.schema.SchemaFindings;
import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import io.millrace.jobtracker.store.jdbc.sql.MySqlDialect;
import java.util.Collection;
import java.util.List;

/**
 * The tables in a tracker's database, without a tracker. Used to prepare a database before the
 * first tracker of a version starts. Thread-safe.
 */
public final class StoreSchema {
  private final JdbcSchema schema;

  private StoreSchema(JdbcSchema schema) {
    this.schema = schema;
  }

  /** The kinds of databases in which a tracker can keep its state. */
  public enum Database {
    H2,
    /** MySQL or MariaDB. */
    MYSQL;

    private Dialect dialect() {
      return this == H2 ? new H2Dialect() : new MySqlDialect();
    }
  }

  /**
   * The tables of the database that a tracker of this configuration would open. Opens no
   * connection.
   */
  public static StoreSchema of(JobTrackerConfig config) {
    return new StoreSchema(new JdbcSchema(config.store()));
  }

  /**
   * Brings the tables up to date, exactly as the start of a tracker does.
   *
   * @return the changes made, one line each; empty if there was nothing to do
   * @throws io.millrace.jobtracker.store.failure.StoreException if the database cannot be reached
   *     or changed
   */
  public List<String> migrate() {
    return schema.migrate();
  }

  /**
   * As {@link #migrate}, but also applies a migration that a former version of Millrace recorded as
   * failed. It runs from its beginning, over the changes that it had already made.
   *
   * @return the changes made, one line each; empty if there was nothing to do
   * @throws io.millrace.jobtracker.store.failure.StoreException if the database cannot be reached
   *     or changed, or if a migration differs from the one that was applied
   */
  public List<String> repair() {
    return schema.repair();
  }

  /**
   * Checks whether the tables are those that a tracker of this version needs; changes nothing.
   *
   * @throws io.millrace.jobtracker.store.failure.StoreException if the database cannot be looked at
   */
  public SchemaFindings inspect() {
    return schema.inspect();
  }

  /**
   * The SQL of the migrations that have not been applied yet, to be run by hand; only a comment if
   * all have been applied.
   *
   * @throws io.millrace.jobtracker.store.failure.StoreException if the database cannot be looked at
   */
  public String pendingSql() {
    return schema.pendingSql();
  }

  /**
   * The SQL of all tables, to be run by hand in an empty database. It contains the template of
   * waiting tables and its upgrades as comments. Accesses no database.
   *
   * @param nodeGroups the node groups whose waiting tables are created as well
   * @throws IllegalArgumentException if a name is not a valid node group name
   */
  public static String sql(Database database, Collection<String> nodeGroups) {
    return JdbcSchema.sql(database.dialect(), nodeGroups);
  }
}
