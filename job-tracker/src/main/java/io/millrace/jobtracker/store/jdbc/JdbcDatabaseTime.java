package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.store.DatabaseTime;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import java.util.Map;

/** The database's clock. */
final class JdbcDatabaseTime implements DatabaseTime {
  private final Database database;

  JdbcDatabaseTime(Database database) {
    this.database = database;
  }

  /** Runs outside any transaction of the caller: some databases stop their clock during one. */
  @Override
  public long databaseNow() {
    database.requireNoTransaction("reading the database's clock");
    String sql = "SELECT " + database.dialect().nowMillis();
    return database.single("read the database's clock", sql, Map.of(), Long.class);
  }
}
