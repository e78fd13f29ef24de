package io.millrace.jobtracker.store.jdbc.connect;

import io.millrace.jobtracker.store.CommitListener;
import io.millrace.jobtracker.store.CommitOutcome;
import io.millrace.jobtracker.store.Transactions;
import io.millrace.jobtracker.store.failure.StoreBusyException;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.failure.UnknownOutcomeException;
import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import io.millrace.jobtracker.store.jdbc.sql.LostToConcurrencyException;
import io.millrace.jobtracker.store.jdbc.sql.SqlErrors;
import io.millrace.jobtracker.store.jdbc.sql.WriterLock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Transactions of one data source, bound to the calling thread. */
public final class JdbcTransactions implements Transactions {
  static final int MAX_ATTEMPTS = 10;

  /**
   * The maximum of waits: each may last as long as the database's lock time-out, and others wait
   * behind it.
   */
  static final int MAX_WAITS = 3;

  static final Duration MAX_PAUSE = Duration.ofMillis(500);

  /** A writer gets its turn within milliseconds, unless the disk stalls. */
  private static final Duration MAX_WAIT_FOR_WRITERS = Duration.ofSeconds(10);

  private static final int SUBMITS_AT_A_TIME_OF_A_SERVER = 2;

  private static final Logger log = LoggerFactory.getLogger(JdbcTransactions.class);

  private final DataSource dataSource;
  private final Dialect dialect;
  private final SqlErrors errors;
  private final RetryPause pause;
  private final StoreWatch watch;
  private final JdbcTransactionManager manager;
  private final TransactionDefinition readCommitted;
  private final List<CommitListener> listeners = new CopyOnWriteArrayList<>();

  /** The rows that the calling thread's transaction has written so far. */
  @SuppressWarnings("ThreadLocalUsage") // one store, which lives as long as its process
  private final ThreadLocal<@Nullable WrittenRows> written = new ThreadLocal<>();

  /** The reason why the database has ended the calling thread's transaction, if it has. */
  @SuppressWarnings("ThreadLocalUsage") // as above
  private final ThreadLocal<@Nullable LostToConcurrencyException> lost = new ThreadLocal<>();

  /**
   * The writer lock that the calling thread's transaction holds, if it has written and needs one.
   */
  @SuppressWarnings("ThreadLocalUsage") // as above
  private final ThreadLocal<@Nullable WriterLock> writing = new ThreadLocal<>();

  /** Set while the calling thread's transactions may write before waiting ones. */
  @SuppressWarnings("ThreadLocalUsage") // as above
  private final ThreadLocal<@Nullable Boolean> urgent = new ThreadLocal<>();

  public JdbcTransactions(
      DataSource dataSource, Dialect dialect, RetryPause pause, StoreWatch watch) {
    this.dataSource = dataSource;
    this.dialect = dialect;
    this.errors = new SqlErrors(dialect);
    this.pause = pause;
    this.watch = watch;
    this.manager = new JdbcTransactionManager(dataSource);
    manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
    DefaultTransactionDefinition definition = new DefaultTransactionDefinition();
    definition.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
    this.readCommitted = definition;
  }

  @Override
  public int submitsAtATime() {
    return dialect.writesItsFileHere() ? 1 : SUBMITS_AT_A_TIME_OF_A_SERVER;
  }

  /** Whether the calling thread has begun a transaction here. */
  boolean isActive() {
    return TransactionSynchronizationManager.hasResource(dataSource);
  }

  /**
   * Records that the database has ended the calling thread's transaction. Its connection would
   * continue in a new transaction; so from now on the transaction runs no statement and does not
   * commit.
   */
  void end(LostToConcurrencyException because) {
    lost.set(because);
  }

  /** Fails if the database has ended the calling thread's transaction. */
  void requireNotLost() {
    LostToConcurrencyException because = lost.get();
    if (because != null) {
      throw because;
    }
  }

  /**
   * Waits until the calling thread's transaction may write, if the database allows one writer at a
   * time.
   *
   * @throws LostToConcurrencyException if other transactions have written for too long
   * @throws org.springframework.dao.DataAccessException if the connection is broken
   */
  void awaitTurnToWrite() {
    if (!dialect.writesItsFileHere() || writing.get() != null || !isActive()) {
      return;
    }
    Connection connection = DataSourceUtils.getConnection(dataSource);
    try {
      Optional<WriterLock> lock = dialect.writerLock(connection, urgent.get() != null);
      if (lock.isPresent()) {
        acquire(lock.get());
        writing.set(lock.get());
      }
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException(String.valueOf(e.getMessage()), e);
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  /**
   * Runs transactions that write before all waiting ones, if the database allows one writer at a
   * time. For short transactions on which others depend.
   */
  <T> T urgently(Supplier<T> transactions) {
    urgent.set(true);
    try {
      return transactions.get();
    } finally {
      urgent.remove();
    }
  }

  private static void acquire(WriterLock lock) {
    try {
      if (!lock.tryLock(MAX_WAIT_FOR_WRITERS)) {
        throw new LostToConcurrencyException(
            "another transaction has been writing for " + MAX_WAIT_FOR_WRITERS, null, true);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LostToConcurrencyException(
          "interrupted while waiting for another write transaction", e, true);
    }
  }

  private void letOthersWrite() {
    WriterLock held = writing.get();
    if (held != null) {
      writing.remove();
      held.unlock();
    }
  }

  /**
   * Fails if the calling thread has begun a transaction.
   *
   * @param what the operation that must not be done in a transaction
   */
  void requireNone(String what) {
    if (isActive()) {
      throw new IllegalStateException(what + " must not be done inside a transaction");
    }
  }

  @Override
  public Runnable listen(CommitListener listener) {
    listeners.add(listener);
    return () -> {
      boolean unused = listeners.remove(listener);
    };
  }

  /** The rows that the calling thread's transaction has written so far. */
  WrittenRows written() {
    WrittenRows rows = written.get();
    if (rows == null) {
      throw new IllegalStateException("rows are written in a transaction");
    }
    return rows;
  }

  /** The result of a run of the work, and the rows that this run has written. */
  private record Run<T>(T result, WrittenRows rows) {}

  /** Work, and the last run of it that tried to commit. */
  private static final class Work<T> {
    private final Supplier<T> supplier;
    private @Nullable Run<T> last;

    private Work(Supplier<T> supplier) {
      this.supplier = supplier;
    }
  }

  @Override
  public <T> T inTransaction(String name, Supplier<T> work) {
    return reported(attempted(name, new Work<>(work)));
  }

  /** The outcome is known here, unless a commit is lost: then {@link CommitOutcome} settles it. */
  @Override
  public <T> T inTransaction(String name, Supplier<T> work, Predicate<T> tookEffect) {
    Work<T> first = new Work<>(work);
    try {
      return reported(attempted(name, first));
    } catch (UnknownOutcomeException e) {
      CommitOutcome<Run<T>> outcome =
          new CommitOutcome<>(
              this,
              name,
              () -> new Run<>(work.get(), written()),
              run -> tookEffect.test(run.result()));
      return reported(outcome.settle(Objects.requireNonNull(first.last, name), e));
    }
  }

  /** Reports the rows of a run that has committed, unless they were reported before. */
  private <T> T reported(Run<T> committed) {
    committed.rows().reportTo(listeners);
    return committed.result();
  }

  private <T> Run<T> attempted(String name, Work<T> work) {
    requireNone("transaction " + name);
    int waits = 0;
    for (int attempt = 1; ; attempt++) {
      try {
        return watched(name, work);
      } catch (LostToConcurrencyException e) {
        waits += e.waited() ? 1 : 0;
        if (attempt == MAX_ATTEMPTS || waits == MAX_WAITS) {
          throw new StoreBusyException(
              name + " gave up after " + attempt + " attempts: " + e.getMessage(), e);
        }
        log.debug(
            "{}: attempt {} was rolled back because of another transaction", name, attempt, e);
        pause(name, attempt);
      }
    }
  }

  private <T> Run<T> watched(String name, Work<T> work) {
    watch.begun();
    Run<T> run;
    try {
      run = attempt(name, work);
    } catch (StoreException e) {
      watch.failed(e);
      throw e;
    } catch (RuntimeException | Error e) {
      watch.answered();
      throw e;
    }
    watch.answered();
    return run;
  }

  private <T> Run<T> attempt(String name, Work<T> work) {
    try {
      return begunAndEnded(name, work);
    } finally {
      letOthersWrite();
    }
  }

  private <T> Run<T> begunAndEnded(String name, Work<T> work) {
    TransactionStatus status = begin(name);
    WrittenRows rows = new WrittenRows();
    Run<T> run;
    try {
      written.set(rows);
      run = new Run<>(work.supplier.get(), rows);
      requireNotLost();
      awaitRead(name);
    } catch (Throwable e) {
      rollback(status, e);
      throw e;
    } finally {
      lost.remove();
      written.remove();
    }
    work.last = run;
    commit(name, status);
    return run;
  }

  private TransactionStatus begin(String name) {
    try {
      return manager.getTransaction(readCommitted);
    } catch (TransactionException e) {
      throw errors.translate(name + " cannot start", e);
    }
  }

  /** Waits so that answers based only on reads are as durable as committed data. */
  private void awaitRead(String name) {
    Connection connection = DataSourceUtils.getConnection(dataSource);
    try {
      dialect.awaitRead(connection);
    } catch (SQLException e) {
      throw errors.translate(
          name + " cannot rely on the data that it read",
          new DataAccessResourceFailureException(String.valueOf(e.getMessage()), e));
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  private void rollback(TransactionStatus status, Throwable because) {
    try {
      manager.rollback(status);
    } catch (RuntimeException e) {
      because.addSuppressed(e);
    }
  }

  private void commit(String name, TransactionStatus status) {
    try {
      manager.commit(status);
    } catch (RuntimeException e) {
      StoreException translated = errors.translate(name + " cannot commit", e);
      if (translated instanceof LostToConcurrencyException) {
        throw translated;
      }
      throw new UnknownOutcomeException(
          translated.getMessage() + "; it is unknown whether it took effect", e);
    }
  }

  private void pause(String name, int attempt) {
    Duration growing = Duration.ofMillis(1L << attempt);
    try {
      pause.pause(growing.compareTo(MAX_PAUSE) < 0 ? growing : MAX_PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreBusyException(name + " was interrupted before its next attempt", e);
    }
  }
}
