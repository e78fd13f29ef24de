package io.millrace.jobtracker;

import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.store.SchemaFindings;
import io.millrace.jobtracker.store.jdbc.JdbcSchema;
import io.millrace.jobtracker.store.jdbc.h2.H2Dialect;
import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import io.millrace.jobtracker.store.jdbc.sql.MySqlDialect;
import java.util.Collection;
import java.util.List;

/**
 * The tables in a tracker's database, without a tracker: for whoever prepares a database before the
 * first tracker of a version starts. Thread-safe.
 */
public final class StoreSchema {
  private final JdbcSchema schema;

  private StoreSchema(JdbcSchema schema) {
    this.schema = schema;
  }

  /** The kinds of databases that a tracker can keep its state in. */
  public enum Database {
    H2,
    /** MariaDB too. */
    MYSQL;

    private Dialect dialect() {
      return this == H2 ? new H2Dialect() : new MySqlDialect();
    }
  }

  /** The tables of the database that a tracker of this configuration would open. Opens nothing. */
  public static StoreSchema of(JobTrackerConfig config) {
    return new StoreSchema(new JdbcSchema(config.store()));
  }

  /**
   * Brings the tables up to date, exactly as a tracker's start does.
   *
   * @return what it did, a line each; empty if there was nothing to do
   * @throws io.millrace.jobtracker.store.failure.StoreException if the database cannot be reached
   *     or changed
   */
  public List<String> migrate() {
    return schema.migrate();
  }

  /**
   * As {@link #migrate}, also where a former version of Millrace noted a migration as failed: it is
   * applied again, from its beginning, over what it had done.
   *
   * @return what it did, a line each; empty if there was nothing to do
   * @throws io.millrace.jobtracker.store.failure.StoreException if the database cannot be reached
   *     or changed, or a migration is not what was applied
   */
  public List<String> repair() {
    return schema.repair();
  }

  /**
   * Looks whether a tracker of this version finds what it needs; changes nothing.
   *
   * @throws io.millrace.jobtracker.store.failure.StoreException if the database cannot be looked at
   */
  public SchemaFindings inspect() {
    return schema.inspect();
  }

  /**
   * The SQL of what has not been applied yet, to be run by hand; nothing but a comment if all has.
   *
   * @throws io.millrace.jobtracker.store.failure.StoreException if the database cannot be looked at
   */
  public String pendingSql() {
    return schema.pendingSql();
  }

  /**
   * The SQL of everything, to be run by hand in an empty database; the template of waiting tables
   * and its upgrades are in it as comments. Asks no database.
   *
   * @param nodeGroups whose waiting tables are to be made as well
   * @throws IllegalArgumentException if one of them cannot be a node group
   */
  public static String sql(Database database, Collection<String> nodeGroups) {
    return JdbcSchema.sql(database.dialect(), nodeGroups);
  }
}
