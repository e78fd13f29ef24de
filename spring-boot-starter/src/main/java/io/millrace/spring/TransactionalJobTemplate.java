package io.millrace.spring;

import io.millrace.api.Job;
import io.millrace.jobclient.TransactionalJobs;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Enqueues jobs in the transaction of the calling thread: a job is submitted if and only if the
 * transaction commits. It is stored in a table of the application by the connection of the
 * transaction, and sent after the commit.
 *
 * <pre>{@code
 * @Transactional
 * void close(Order order) {
 *   orders.save(order);
 *   jobs.enqueue(Job.builder("billing", "invoice:" + order.id()).build());
 * }
 * }</pre>
 *
 * <p>The bean of this type is there with {@code millrace.enqueue.enabled=true}; the tables and the
 * rules are those of {@link TransactionalJobs}. With JPA, changes that are not flushed yet are
 * written by the same commit. Thread-safe.
 */
public final class TransactionalJobTemplate {
  private final TransactionalJobs jobs;
  private final DataSource dataSource;
  private final UnaryOperator<Job> prepare;
  private final TransactionSynchronization wakeAfterCommit;
  private final SQLExceptionTranslator translator = new SQLExceptionSubclassTranslator();

  /**
   * Creates a template, for applications that need another one than the bean.
   *
   * @param jobs the tables in which jobs are stored
   * @param dataSource the data source of the transactions
   * @param prepare changes each job before it is stored, such as by adding a trace
   * @param wake called after each commit in which a job was enqueued, usually the relay's wake
   */
  public TransactionalJobTemplate(
      TransactionalJobs jobs, DataSource dataSource, UnaryOperator<Job> prepare, Runnable wake) {
    this.jobs = Objects.requireNonNull(jobs, "jobs");
    this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
    this.prepare = Objects.requireNonNull(prepare, "prepare");
    Objects.requireNonNull(wake, "wake");
    this.wakeAfterCommit =
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            wake.run();
          }
        };
  }

  /**
   * Enqueues a job.
   *
   * @return the submission id, by which trackers recognize the job
   * @throws IllegalStateException if the thread has no transaction of the data source
   * @throws IllegalArgumentException if the job is not allowed; the message names the value
   * @throws DataAccessException if the row cannot be stored; the transaction should be rolled back
   */
  public String enqueue(Job job) {
    return enqueueAll(List.of(job)).get(0);
  }

  /**
   * Enqueues jobs as {@link #enqueue} does. All are checked before the first is stored.
   *
   * @return the submission ids, in the order of the jobs
   */
  public List<String> enqueueAll(Collection<Job> all) {
    List<Job> prepared = all.stream().map(prepare).toList();
    return within("enqueue jobs", connection -> jobs.enqueueAll(connection, prepared));
  }

  /**
   * Enqueues a cancel of the live job of a key, which follows the jobs of the key that were
   * enqueued before. Fails as {@link #enqueue} does.
   */
  public void cancel(String nodeGroup, String taskId) {
    Object unused =
        within(
            "enqueue a cancel",
            connection -> {
              jobs.cancel(connection, nodeGroup, taskId);
              return taskId;
            });
  }

  private interface Call<T> {
    T by(Connection connection) throws SQLException;
  }

  private <T> T within(String what, Call<T> call) {
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      throw new IllegalStateException(
          "cannot "
              + what
              + ": the thread has no transaction. Call this in a method with @Transactional or in a"
              + " TransactionTemplate, or submit the job with the JobClient");
    }
    Connection connection = DataSourceUtils.getConnection(dataSource);
    try {
      if (!DataSourceUtils.isConnectionTransactional(connection, dataSource)) {
        throw new IllegalStateException(
            "cannot " + what + ": the transaction of the thread is not one of " + dataSource);
      }
      T answer = call.by(connection);
      TransactionSynchronizationManager.registerSynchronization(wakeAfterCommit);
      return answer;
    } catch (SQLException failure) {
      DataAccessException translated = translator.translate(what, null, failure);
      throw translated == null ? new IllegalStateException(failure) : translated;
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }
}
