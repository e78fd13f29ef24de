package io.millrace.torture.oracle;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** How the oracle reaches the run's tables: directly, past everything that may be cut. */
public interface DatabaseAccess {

  /** What it is called in a sentence. */
  String name();

  /** A connection of its own. */
  Connection open() throws SQLException;

  /**
   * Tables that anybody may read who knows this user, who has no password.
   *
   * @param name what it is called in a sentence
   */
  static DatabaseAccess at(String name, String url, String username) {
    return new DatabaseAccess() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Connection open() throws SQLException {
        return DriverManager.getConnection(url, username, "");
      }
    };
  }
}
