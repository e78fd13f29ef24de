package io.millrace.jobclient.internal.relay;

import io.millrace.api.Job;
import io.millrace.api.SubmitResult;
import io.millrace.internal.model.job.JobRules;
import io.millrace.internal.model.job.Rejection;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.time.Clock;
import io.millrace.jobclient.internal.relay.EnqueuedRow.Content;
import io.millrace.jobclient.internal.request.JobKey;
import io.millrace.jobclient.internal.request.SubmissionIds;
import io.millrace.jobclient.internal.submit.Sendable;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Stores requests in transactions of the application. Thread-safe. */
public final class EnqueueWriter {
  private final RelayTables tables;
  private final Clock clock;
  private final DatabaseClock databaseClock;
  private final SubmissionIds ids;

  public EnqueueWriter(
      RelayTables tables, Clock clock, DatabaseClock databaseClock, RandomGenerator random) {
    this.tables = tables;
    this.clock = clock;
    this.databaseClock = databaseClock;
    this.ids = new SubmissionIds(clock, random);
  }

  /** A request to insert. */
  private record Request(String submissionId, JobKey key, Content content) {}

  /**
   * Checks all jobs, then stores them.
   *
   * @return the submission ids, in the order of the jobs
   * @throws IllegalArgumentException if a job is not allowed; nothing is stored then
   * @throws IllegalStateException if no transaction has begun
   */
  public List<String> enqueue(Connection connection, Collection<Job> jobs) throws SQLException {
    List<Request> requests = new ArrayList<>();
    for (Job job : jobs) {
      requests.add(requestOf(job));
    }
    insert(connection, requests);
    return requests.stream().map(Request::submissionId).toList();
  }

  private Request requestOf(Job job) {
    JobKey key = JobKey.of(Sendable.requireNonNull(job));
    refuseIf(key, JobRules.check(job));
    SubmitResult tooLarge = Sendable.rejection(job);
    if (tooLarge != null) {
      throw new IllegalArgumentException("job " + key + ": " + tooLarge.message());
    }
    String id = ids.next();
    JobSubmission submission =
        new JobSubmission(id, job, job.schedule().isRecurring() ? clock.now() : null);
    return new Request(id, key, Content.of(submission));
  }

  private static void refuseIf(JobKey key, Optional<Rejection> fault) {
    fault.ifPresent(
        it -> {
          throw new IllegalArgumentException(
              "job %s: %s: %s".formatted(key, it.reason(), it.message()));
        });
  }

  /** Stores a cancel; otherwise as {@link #enqueue}. */
  public void cancel(Connection connection, String nodeGroup, String taskId) throws SQLException {
    JobKey key = new JobKey(nodeGroup, taskId);
    refuseIf(key, JobRules.checkKey(nodeGroup, taskId));
    insert(connection, List.of(new Request(ids.next(), key, Content.OF_CANCEL)));
  }

  private void insert(Connection connection, List<Request> requests) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "the connection commits each statement by itself: there is no transaction in which a job"
              + " could be enqueued");
    }
    String sql =
        """
        INSERT INTO %s (submission_id, node_group, task_id, partition_no, kind, body, body_bytes,
          created_at) VALUES (?, ?, ?, ?, ?, ?, ?, %s)"""
            .formatted(tables.rows(), databaseClock.expression(DatabaseKind.of(connection)));
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (Request request : requests) {
        String body = request.content().body();
        statement.setString(1, request.submissionId());
        statement.setString(2, request.key().nodeGroup());
        statement.setString(3, request.key().taskId());
        statement.setInt(4, RelayTables.partitionOf(request.key()));
        statement.setString(5, request.content().kind());
        statement.setString(6, body);
        statement.setInt(7, body.getBytes(StandardCharsets.UTF_8).length);
        int unused = statement.executeUpdate();
      }
    }
  }
}
