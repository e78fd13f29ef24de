package io.millrace.torture.oracle;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** Access to the tables of a run: direct, without any wire that may be cut. */
public interface DatabaseAccess {

  /** Returns the name for use in a sentence. */
  String name();

  /** Opens a new connection. */
  Connection open() throws SQLException;

  /**
   * Returns access for this user, who has no password.
   *
   * @param name the name for use in a sentence
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
