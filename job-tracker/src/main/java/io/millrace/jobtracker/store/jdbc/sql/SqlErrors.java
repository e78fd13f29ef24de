package io.millrace.jobtracker.store.jdbc.sql;

import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.transaction.CannotCreateTransactionException;

/** Translates exceptions of Spring into exceptions of stores. */
public final class SqlErrors {
  private static final int MAX_REASON_CHARS = 300;

  private final Dialect dialect;

  public SqlErrors(Dialect dialect) {
    this.dialect = dialect;
  }

  /**
   * Translates an error; the type of the result shows what the caller may do next.
   *
   * @param what the operation; begins the message
   */
  public StoreException translate(String what, RuntimeException error) {
    SQLException sql = causeOf(error);
    String message = what + ": " + reason(sql == null ? error : sql);
    if (sql != null && (dialect.isLostToConcurrency(sql) || dialect.isOutOfStatements(sql))) {
      return new LostToConcurrencyException(message, error, dialect.isLockTimeout(sql));
    }
    if (error instanceof org.springframework.dao.DuplicateKeyException) {
      return new DuplicateKeyException(message, error);
    }
    return isUnavailable(error, sql)
        ? new StoreUnavailableException(message, error, sql != null && dialect.refusesWrites(sql))
        : new StoreException(message, error);
  }

  /**
   * No connection, a broken one (SQLSTATE class 08 on every database), or an error that the dialect
   * classifies as unavailable.
   */
  private boolean isUnavailable(RuntimeException error, @Nullable SQLException sql) {
    return error instanceof CannotGetJdbcConnectionException
        || error instanceof CannotCreateTransactionException
        || error instanceof DataAccessResourceFailureException
        || error instanceof RecoverableDataAccessException
        || (sql != null && sql.getSQLState() != null && sql.getSQLState().startsWith("08"))
        || (sql != null && dialect.isUnavailable(sql));
  }

  /** Returns the first line of the message: H2 adds the whole statement in further lines. */
  private static @Nullable String reason(Throwable error) {
    String message = error.getMessage();
    return message == null
        ? error.getClass().getSimpleName()
        : Columns.bounded(message.lines().findFirst().orElse(""), MAX_REASON_CHARS);
  }

  /** Returns the database's error among the causes of an error; null if there is none. */
  public static @Nullable SQLException causeOf(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        return sql;
      }
    }
    return null;
  }
}
