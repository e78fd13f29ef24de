package io.millrace.torture.process;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Connections to the database of an application, whose process ends at once at a commit. */
final class DyingSource {
  /** At which commit. */
  enum Moment {
    /** Of an order and its job. */
    BEFORE_ORDER,
    /** Between the commit and the hand-over. */
    AFTER_ORDER,
    /** Of the mark that a row is about to be sent. */
    BEFORE_MARK,
    /** Between the mark and the send. */
    AFTER_MARK,
    /** Between the send and the delete. */
    BEFORE_DELETE,
    AFTER_DELETE,
    /** At none: the process is killed from outside. */
    NEVER
  }

  private static final int STATUS = 137;

  private final String url;
  private final Moment moment;
  private final AtomicInteger left;

  /**
   * @param count at which of the commits of this kind
   */
  DyingSource(String url, Moment moment, int count) {
    this.url = url;
    this.moment = moment;
    this.left = new AtomicInteger(count);
  }

  DataSource source() {
    return (DataSource) proxy(DataSource.class, (method, arguments) -> connect());
  }

  /** What a proxy does. */
  private interface Call {
    Object run(java.lang.reflect.Method method, Object[] arguments) throws Throwable;
  }

  private static Object proxy(Class<?> type, Call call) {
    return Proxy.newProxyInstance(
        DyingSource.class.getClassLoader(),
        new Class<?>[] {type},
        (self, method, arguments) -> call.run(method, arguments));
  }

  private Connection connect() throws Exception {
    Connection connection = DriverManager.getConnection(url, "root", "");
    Set<String> kinds = ConcurrentHashMap.newKeySet();
    return (Connection)
        proxy(
            Connection.class,
            (method, arguments) -> {
              if (method.getName().equals("prepareStatement")) {
                kinds.add(kindOf((String) arguments[0]));
              }
              boolean commits = method.getName().equals("commit");
              if (commits) {
                dieAt("BEFORE_", kinds);
              }
              Object result;
              try {
                result = method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              if (commits) {
                dieAt("AFTER_", kinds);
                kinds.clear();
              }
              return result;
            });
  }

  private static String kindOf(String sql) {
    if (sql.startsWith("DELETE")) {
      return "DELETE";
    }
    if (sql.contains("SET first_sent_at")) {
      return "MARK";
    }
    return sql.contains("app_order") ? "ORDER" : "";
  }

  private void dieAt(String when, Set<String> kinds) {
    if (kinds.stream().anyMatch(kind -> moment.name().equals(when + kind))
        && left.decrementAndGet() == 0) {
      Runtime.getRuntime().halt(STATUS);
    }
  }
}
