package io.millrace.jobclient;

import io.millrace.api.Job;
import io.millrace.internal.time.SystemClock;
import io.millrace.jobclient.internal.relay.DatabaseClock;
import io.millrace.jobclient.internal.relay.EnqueueWriter;
import io.millrace.jobclient.internal.relay.RelayTables;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * Enqueues jobs in transactions of the application: the job is stored in a table of the
 * application's own database, by the connection and in the transaction of the caller. It is
 * submitted if and only if that transaction commits. A {@link JobRelay} submits it, in this process
 * or another one.
 *
 * <pre>{@code
 * TransactionalJobs jobs = TransactionalJobs.create();
 * connection.setAutoCommit(false);
 * orders.insert(connection, order);
 * jobs.enqueue(connection, Job.builder("billing", "invoice:" + order.id()).build());
 * connection.commit();
 * relay.wake();
 * }</pre>
 *
 * <p>No method commits, rolls back, or opens a connection, and none asks a tracker. A job is
 * checked before it is stored, by all rules that need no tracker; a tracker that rejects it
 * nevertheless, such as for its cron expression, cannot tell the caller any more: the relay then
 * moves the row to the table of rejected rows.
 *
 * <p>The database is MySQL, MariaDB, PostgreSQL or H2. The tables are in the files {@code
 * enqueue-mysql.sql} and {@code enqueue-standard.sql} of this library's jar, below {@code
 * io/millrace/jobclient}; put one among the migrations of the application, or see {@link
 * #createTables}.
 *
 * <p>Requests of one task id are sent in the order in which they were enqueued, if their
 * transactions did not overlap. Thread-safe; a connection is used only during a call.
 */
public final class TransactionalJobs {
  private final RelayTables tables;
  private final EnqueueWriter writer;

  private TransactionalJobs(RelayTables tables) {
    this.tables = tables;
    this.writer =
        new EnqueueWriter(tables, new SystemClock(), DatabaseClock.ITS_OWN, new SecureRandom());
  }

  /** Uses the tables of the shipped files: {@code millrace_enqueued} and two others. */
  public static TransactionalJobs create() {
    return withTablePrefix(RelayTables.DEFAULT_PREFIX);
  }

  /**
   * Uses tables whose names begin with another prefix than {@code millrace_}.
   *
   * @param prefix at most 32 letters, digits and underscores, possibly after a schema and a dot;
   *     the same as {@link JobRelay.Builder#tablePrefix}
   * @throws IllegalArgumentException if it is no such prefix
   */
  public static TransactionalJobs withTablePrefix(String prefix) {
    return new TransactionalJobs(new RelayTables(Objects.requireNonNull(prefix, "prefix")));
  }

  /**
   * Enqueues a job in the transaction of this connection.
   *
   * @return the submission id, by which trackers recognize the job
   * @throws IllegalArgumentException if the job is not allowed; the message names the value. The
   *     transaction is as it was
   * @throws IllegalStateException if the connection commits each statement by itself, or if its
   *     database is not supported
   * @throws SQLException if the insert fails; the transaction should be rolled back
   */
  public String enqueue(Connection connection, Job job) throws SQLException {
    return writer.enqueue(connection, List.of(Objects.requireNonNull(job, "job"))).get(0);
  }

  /**
   * Enqueues jobs as {@link #enqueue} does. All are checked before the first is stored.
   *
   * @return the submission ids, in the order of the jobs
   */
  public List<String> enqueueAll(Connection connection, Collection<Job> jobs) throws SQLException {
    return writer.enqueue(connection, jobs);
  }

  /**
   * Enqueues a cancel of the live job of a key, which follows the jobs of the key that were
   * enqueued before. It cancels the job that lives when it arrives. Fails as {@link #enqueue} does.
   */
  public void cancel(Connection connection, String nodeGroup, String taskId) throws SQLException {
    writer.cancel(
        connection,
        Objects.requireNonNull(nodeGroup, "nodeGroup"),
        Objects.requireNonNull(taskId, "taskId"));
  }

  /**
   * Creates the tables, for tests and first steps. Most databases commit the open transaction
   * before they create a table.
   *
   * @throws SQLException if a table exists, or cannot be created
   */
  public void createTables(Connection connection) throws SQLException {
    tables.create(connection);
  }
}
