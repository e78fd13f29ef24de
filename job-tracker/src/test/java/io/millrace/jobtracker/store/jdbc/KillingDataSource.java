package io.millrace.jobtracker.store.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Kills its user behind the first statement that adds something: nothing of it runs after that. */
public final class KillingDataSource extends DelegatingDataSource {

  /** As with a kill, no code catches it and goes on. */
  public static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  private static final Pattern ADDS =
      Pattern.compile(
          "CREATE (TABLE|INDEX) (?!IF NOT EXISTS).*|ALTER .*|INSERT .*", Pattern.DOTALL);

  public KillingDataSource(DataSource source) {
    super(source);
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection connection = super.getConnection();
    return proxy(
        Connection.class,
        (self, method, arguments) -> {
          Object result = method.invoke(connection, arguments);
          return result instanceof Statement statement && method.getName().equals("createStatement")
              ? killing(statement)
              : result;
        });
  }

  private Statement killing(Statement statement) {
    return proxy(
        Statement.class,
        (self, method, arguments) -> {
          Object result = method.invoke(statement, arguments);
          if (method.getName().equals("execute") && ADDS.matcher((String) arguments[0]).matches()) {
            throw new Killed();
          }
          return result;
        });
  }

  /** What the handler invokes by reflection throws its own exceptions. */
  public static <T> T proxy(Class<T> type, InvocationHandler handler) {
    InvocationHandler unwrapping =
        (self, method, arguments) -> {
          try {
            return handler.invoke(self, method, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return type.cast(
        Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, unwrapping));
  }
}
