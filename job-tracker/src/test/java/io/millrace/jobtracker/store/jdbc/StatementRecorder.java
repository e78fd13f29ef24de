package io.millrace.jobtracker.store.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;

/**
 * Remembers the prepared statements that run over a data source, with their parameters, and counts
 * its commits.
 */
final class StatementRecorder {

  /** A statement as it was run. */
  record Recorded(String sql, Map<Integer, Object> parameters) {

    /** Prepares the statement again, behind a prefix such as EXPLAIN. */
    PreparedStatement prepare(Connection connection, String prefix) throws SQLException {
      PreparedStatement statement = connection.prepareStatement(prefix + " " + sql);
      for (Map.Entry<Integer, Object> parameter : parameters.entrySet()) {
        statement.setObject(parameter.getKey(), parameter.getValue());
      }
      return statement;
    }
  }

  private final List<Recorded> recorded = new ArrayList<>();
  private int commits;

  /** The statements that ran since the last call. */
  List<Recorded> take() {
    List<Recorded> taken = List.copyOf(recorded);
    recorded.clear();
    return taken;
  }

  /** How many commits there were since the last call. */
  int takeCommits() {
    int taken = commits;
    commits = 0;
    return taken;
  }

  DataSource over(DataSource real) {
    return proxy(
        DataSource.class,
        (method, arguments) -> {
          Object result = call(real, method, arguments);
          return result instanceof Connection connection ? over(connection) : result;
        });
  }

  private Connection over(Connection real) {
    return proxy(
        Connection.class,
        (method, arguments) -> {
          commits += method.getName().equals("commit") ? 1 : 0;
          Object result = call(real, method, arguments);
          return result instanceof PreparedStatement statement
              ? over(statement, (String) arguments[0])
              : result;
        });
  }

  private PreparedStatement over(PreparedStatement real, String sql) {
    Map<Integer, Object> parameters = new TreeMap<>();
    return proxy(
        PreparedStatement.class,
        (method, arguments) -> {
          if (method.getName().startsWith("set") && method.getParameterCount() >= 2) {
            parameters.put((Integer) arguments[0], arguments[1]);
          } else if (method.getName().startsWith("execute")) {
            recorded.add(new Recorded(sql, new TreeMap<>(parameters)));
          }
          return call(real, method, arguments);
        });
  }

  @FunctionalInterface
  private interface Call {
    Object of(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    InvocationHandler handler = (self, method, arguments) -> call.of(method, arguments);
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static Object call(Object real, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
