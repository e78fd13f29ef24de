package io.millrace.benchmarks.contender;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.quartz.utils.ConnectionProvider;

/** Where Quartz, which makes this by its name, gets the connections that it is to use. */
public final class QuartzConnections implements ConnectionProvider {
  private static volatile @Nullable HikariDataSource pool;

  /** Says which ones; null when there are none any more. */
  static void use(@Nullable HikariDataSource given) {
    pool = given;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return Objects.requireNonNull(pool, "there is no pool").getConnection();
  }

  @Override
  public void shutdown() {
    // Who gave the pool closes it.
  }

  @Override
  public void initialize() {
    // The pool is open.
  }
}
