package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.store.DatabaseTime;
import io.millrace.jobtracker.store.jdbc.connect.Database;

/** The database's clock. */
final class JdbcDatabaseTime implements DatabaseTime {
  private final Database database;

  JdbcDatabaseTime(Database database) {
    this.database = database;
  }

  /** Not in a transaction: some databases stop their clock for as long as one lasts. */
  @Override
  public long databaseNow() {
    database.requireNoTransaction("reading the database's clock");
    String sql = "SELECT " + database.dialect().nowMillis();
    return database.call(
        "read the database's clock", () -> database.sql(sql).query(Long.class).single());
  }
}
