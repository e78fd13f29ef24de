package io.millrace.jobtracker.store.jdbc.sql;

import com.mysql.cj.jdbc.JdbcConnection;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Makes a connection of MySQL's driver send statements of many parameters as text.
 *
 * <p>The driver keeps the last statements that the server has prepared for a connection, at about
 * 440 bytes for each of their parameters. Short statements are few and run all the time. Statements
 * of many rows have a text for each table and number of rows, run seldom each, and take as long as
 * text; kept, they were nearly all of that memory.
 */
final class LongStatements {
  /** Statements with more parameters are sent as text. */
  static final int MAX_KEPT_PARAMETERS = 64;

  private LongStatements() {}

  /** Returns the connection as it is if it is of another driver, which has means of its own. */
  static Connection asText(Connection connection) {
    if (!(connection instanceof JdbcConnection driver)) {
      return connection;
    }
    return (Connection)
        Proxy.newProxyInstance(
            LongStatements.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (self, method, arguments) -> invoke(driver, self, method, arguments));
  }

  @SuppressWarnings("ReferenceEquality") // a connection equals itself only
  private static @Nullable Object invoke(
      JdbcConnection driver, Object self, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (arguments != null && arguments.length == 1) {
      if (method.getName().equals("prepareStatement")) {
        return prepare(driver, (String) arguments[0]);
      }
      if (method.getName().equals("equals")) {
        return self == arguments[0];
      }
    }
    try {
      return method.invoke(driver, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static PreparedStatement prepare(JdbcConnection driver, String sql) throws SQLException {
    return hasManyParameters(sql)
        ? driver.clientPrepareStatement(sql)
        : driver.prepareStatement(sql);
  }

  /** A question mark in a literal counts too, which at worst sends a statement as text. */
  private static boolean hasManyParameters(String sql) {
    int count = 0;
    for (int at = sql.indexOf('?'); at >= 0; at = sql.indexOf('?', at + 1)) {
      count++;
      if (count > MAX_KEPT_PARAMETERS) {
        return true;
      }
    }
    return false;
  }
}
