package io.millrace.jobtracker.store.jdbc;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.BatchPreparedStatementSetter;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCreator;
import org.springframework.jdbc.core.PreparedStatementSetter;

/** Tells the watch of every statement that the database has let write. Thread-safe. */
final class WatchedJdbcTemplate extends JdbcTemplate {
  private final StoreWatch watch;

  WatchedJdbcTemplate(DataSource dataSource, StoreWatch watch) {
    super(dataSource);
    this.watch = watch;
  }

  @Override
  protected int update(
      PreparedStatementCreator statement, @Nullable PreparedStatementSetter values) {
    int rows = super.update(statement, values);
    watch.wrote();
    return rows;
  }

  @Override
  public int[] batchUpdate(String sql, BatchPreparedStatementSetter values) {
    int[] rows = super.batchUpdate(sql, values);
    watch.wrote();
    return rows;
  }
}
