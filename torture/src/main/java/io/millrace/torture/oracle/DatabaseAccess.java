package io.millrace.torture.oracle;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * How the oracle reaches the run's database: directly, past everything that may be cut.
 *
 * @param url of JDBC
 * @param username of the database
 * @param password of the database
 */
public record DatabaseAccess(String url, String username, String password) {

  /** A connection of its own. */
  public Connection open() throws SQLException {
    return DriverManager.getConnection(url, username, password);
  }
}
