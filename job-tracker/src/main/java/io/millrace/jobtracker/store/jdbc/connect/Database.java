package io.millrace.jobtracker.store.jdbc.connect;

import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import io.millrace.jobtracker.store.jdbc.sql.InLists;
import io.millrace.jobtracker.store.jdbc.sql.LostToConcurrencyException;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import io.millrace.jobtracker.store.jdbc.sql.SqlErrors;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Runs the statements of all stores. Thread-safe. */
public final class Database {
  private final JdbcOperations jdbc;
  private final JdbcClient client;
  private final Dialect dialect;
  private final JdbcTransactions transactions;
  private final SqlErrors errors;

  public Database(JdbcOperations jdbc, Dialect dialect, JdbcTransactions transactions) {
    this.jdbc = jdbc;
    this.client = JdbcClient.create(jdbc);
    this.dialect = dialect;
    this.transactions = transactions;
    this.errors = new SqlErrors(dialect);
  }

  public Dialect dialect() {
    return dialect;
  }

  /** Returns the operations for statements with positional parameters. */
  public JdbcOperations jdbc() {
    return jdbc;
  }

  /** Returns a statement with named parameters. */
  public JdbcClient.StatementSpec sql(String statement) {
    return client.sql(statement);
  }

  /**
   * Runs statements in the calling thread's transaction or, if it has none, in a separate one. The
   * statements must be repeatable after a commit whose outcome is unknown.
   *
   * @param what what the statements do; begins the message of errors
   * @throws io.millrace.jobtracker.store.failure.StoreException if the database fails
   */
  public <T> T call(String what, Supplier<T> statements) {
    return transactions.isActive()
        ? withinTransaction(what, statements)
        : transactions.repeating(what, () -> translating(what, statements));
  }

  /**
   * As {@link #call}, for a statement that returns whether it was the first, and would no longer be
   * the first if it ran again.
   *
   * @param isOurs writes or locks the row and returns whether the statement took effect
   */
  public boolean win(String what, BooleanSupplier statement, BooleanSupplier isOurs) {
    return transactions.isActive()
        ? withinTransaction(what, statement::getAsBoolean)
        : transactions.inTransaction(
            what,
            () -> translating(what, statement::getAsBoolean),
            won -> !won || translating(what, isOurs::getAsBoolean));
  }

  /** As {@link #call}, without a result. */
  public void run(String what, Runnable statements) {
    call(
        what,
        () -> {
          statements.run();
          return true;
        });
  }

  /**
   * As {@link #call}, for one query.
   *
   * @param values of the named parameters
   * @param read makes a result of a row
   */
  public <T> List<T> list(String what, String sql, Map<String, ?> values, RowMapper<T> read) {
    return call(what, () -> sql(sql).params(values).query(read).list());
  }

  /** As {@link #list}, for a query of one column. */
  public <T> List<T> list(String what, String sql, Map<String, ?> values, Class<T> type) {
    return call(what, () -> sql(sql).params(values).query(type).list());
  }

  /** As {@link #list}, for a query whose rows are entries of a map; the last of a key counts. */
  public <K, V> Map<K, V> map(
      String what, String sql, Map<String, ?> values, RowMapper<Map.Entry<K, V>> read) {
    return list(what, sql, values, read).stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (one, last) -> last));
  }

  /** As {@link #list}, for the lists into which {@link InLists} cuts {@code :ids}. */
  public <T, I extends Comparable<I>> List<T> listByIds(
      String what, String sql, Collection<I> ids, Map<String, ?> values, RowMapper<T> read) {
    return call(what, () -> listEach(sql, "ids", InLists.of(ids), values, read));
  }

  /** As {@link #list}, for the lists into which the dialect cuts {@code :taskIds}. */
  public <T> List<T> listByTasks(
      String what, String sql, Collection<String> ids, Map<String, ?> values, RowMapper<T> read) {
    return call(what, () -> listEach(sql, "taskIds", dialect.inLists(ids), values, read));
  }

  private <T> List<T> listEach(
      String sql, String name, List<?> lists, Map<String, ?> values, RowMapper<T> read) {
    return lists.stream()
        .flatMap(list -> sql(sql).params(values).param(name, list).query(read).stream())
        .toList();
  }

  /** As {@link #list}, for a query of at most one row. */
  public <T> Optional<T> find(String what, String sql, Map<String, ?> values, RowMapper<T> read) {
    return call(what, () -> sql(sql).params(values).query(read).optional());
  }

  /** As {@link #find}, for a query of one column; empty also if its value is null. */
  public <T> Optional<T> find(String what, String sql, Map<String, ?> values, Class<T> type) {
    return call(what, () -> sql(sql).params(values).query(type).optional());
  }

  /** As {@link #list}, for a query of exactly one value. */
  public <T> T single(String what, String sql, Map<String, ?> values, Class<T> type) {
    return call(what, () -> sql(sql).params(values).query(type).single());
  }

  /** As {@link #call}, for one statement that writes; returns how many rows it wrote. */
  public int update(String what, String sql, Map<String, ?> values) {
    return update(what, sql, new MapSqlParameterSource(values));
  }

  /** As {@link #update(String, String, Map)}, with values that may be null and have types then. */
  public int update(String what, String sql, SqlParameterSource values) {
    return call(what, () -> sql(sql).paramSource(values).update());
  }

  /** As {@link #update}, for a row at most; returns whether it wrote it. */
  public boolean updateOne(String what, String sql, Map<String, ?> values) {
    return update(what, sql, values) == 1;
  }

  /** As {@link #update}, for the lists into which {@link InLists} cuts {@code :ids}. */
  public int updateByIds(String what, String sql, Collection<Long> ids, Map<String, ?> values) {
    return call(
        what,
        () ->
            InLists.of(ids).stream()
                .mapToInt(list -> sql(sql).params(values).param("ids", list).update())
                .sum());
  }

  /** As {@link #call}, for inserts or updates of rows. */
  public <T> void insert(String what, RowInsert<T> insert, List<T> rows) {
    run(what, () -> insert.insert(jdbc, rows));
  }

  /** As {@link #call}, in a transaction that writes before other waiting transactions. */
  public <T> T callUrgently(String what, Supplier<T> statements) {
    return transactions.urgently(() -> call(what, statements));
  }

  /**
   * The rows that the calling thread's transaction has written, reported once it has committed. To
   * be called in the statements of {@link #call}.
   */
  public WrittenRows written() {
    return transactions.written();
  }

  /**
   * Returns the time of the database's clock in epoch milliseconds. Runs outside any transaction of
   * the caller: some databases stop their clock during one.
   */
  public long now() {
    String what = "reading the database's clock";
    requireNoTransaction(what);
    return single(what, "SELECT " + dialect.nowMillis(), Map.of(), Long.class);
  }

  /** Fails if the calling thread has begun a transaction. */
  public void requireNoTransaction(String what) {
    transactions.requireNone(what);
  }

  private <T> T withinTransaction(String what, Supplier<T> statements) {
    transactions.requireNotLost();
    try {
      return translating(what, statements);
    } catch (LostToConcurrencyException e) {
      transactions.end(e);
      throw e;
    }
  }

  private <T> T translating(String what, Supplier<T> statements) {
    try {
      return statements.get();
    } catch (DataAccessException e) {
      throw errors.translate(what, e);
    }
  }
}
