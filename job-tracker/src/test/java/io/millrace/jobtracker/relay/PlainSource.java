package io.millrace.jobtracker.relay;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A source of connections without a pool. */
final class PlainSource {
  private PlainSource() {}

  /** Opens a connection. */
  @FunctionalInterface
  interface Opener {
    Connection open() throws SQLException;
  }

  /** A source of which only {@link DataSource#getConnection()} can be called. */
  static DataSource over(Opener opener) {
    return (DataSource)
        Proxy.newProxyInstance(
            PlainSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getConnection")) {
                return opener.open();
              }
              throw new UnsupportedOperationException(method.getName());
            });
  }

  /** Is called instead of a commit. */
  @FunctionalInterface
  interface Commit {
    void commit(Connection connection) throws SQLException;
  }

  /** A source whose connections commit by this. */
  static DataSource committing(Opener opener, Commit commit) {
    return over(
        () -> {
          Connection connection = opener.open();
          return (Connection)
              Proxy.newProxyInstance(
                  PlainSource.class.getClassLoader(),
                  new Class<?>[] {Connection.class},
                  (proxy, method, arguments) -> {
                    if (method.getName().equals("commit")) {
                      commit.commit(connection);
                      return null;
                    }
                    try {
                      return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                      throw e.getCause();
                    }
                  });
        });
  }
}
