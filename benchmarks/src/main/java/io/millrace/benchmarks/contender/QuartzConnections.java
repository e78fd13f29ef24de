package io.millrace.benchmarks.contender;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.quartz.utils.ConnectionProvider;

/** Provides Quartz's connections. Quartz creates this class by its name. */
public final class QuartzConnections implements ConnectionProvider {
  private static volatile @Nullable HikariDataSource pool;

  /** Sets the pool; null to remove it. */
  static void use(@Nullable HikariDataSource given) {
    pool = given;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return Objects.requireNonNull(pool, "there is no pool").getConnection();
  }

  @Override
  public void shutdown() {
    // The owner of the pool closes it.
  }

  @Override
  public void initialize() {
    // The pool is open already.
  }
}
