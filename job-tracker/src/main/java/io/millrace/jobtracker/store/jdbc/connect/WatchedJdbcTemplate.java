package io.millrace.jobtracker.store.jdbc.connect;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.BatchPreparedStatementSetter;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCreator;
import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.SqlProvider;

/**
 * Makes statements that write or lock rows wait for the turn of their transaction, and notifies the
 * watch of successful writes. Thread-safe.
 */
public final class WatchedJdbcTemplate extends JdbcTemplate {
  private final StoreWatch watch;
  private final JdbcTransactions transactions;

  public WatchedJdbcTemplate(
      DataSource dataSource, StoreWatch watch, JdbcTransactions transactions) {
    super(dataSource);
    this.watch = watch;
    this.transactions = transactions;
  }

  @Override
  protected int update(
      PreparedStatementCreator statement, @Nullable PreparedStatementSetter values) {
    transactions.awaitTurnToWrite();
    int rows = super.update(statement, values);
    watch.wrote();
    return rows;
  }

  @Override
  public int[] batchUpdate(String sql, BatchPreparedStatementSetter values) {
    transactions.awaitTurnToWrite();
    int[] rows = super.batchUpdate(sql, values);
    watch.wrote();
    return rows;
  }

  @Override
  public <T extends @Nullable Object> T query(
      PreparedStatementCreator statement,
      @Nullable PreparedStatementSetter values,
      ResultSetExtractor<T> rows) {
    if (locksRows(statement)) {
      transactions.awaitTurnToWrite();
    }
    return super.query(statement, values, rows);
  }

  private static boolean locksRows(PreparedStatementCreator statement) {
    return statement instanceof SqlProvider provider
        && String.valueOf(provider.getSql()).endsWith("FOR UPDATE");
  }
}
