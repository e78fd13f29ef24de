package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.SubmitResult;
import io.millrace.api.TriggerResult;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.tasktracker.TaskTracker;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What is left of a cluster that ran the {@link Workload} and was closed.
 *
 * @param submitted answers to the submits
 * @param ledger every row, in order of id
 * @param runs every invocation that began
 * @param feedback what the client was told, each thing once
 * @param jobLog lines by execution, in order of their sequence number
 * @param strangersWaiting rows that waited before the cron job was cancelled, its own aside
 * @param waiting rows that wait in the end
 * @param executing rows that execute in the end
 * @param unacknowledged feedback that nobody acknowledged
 */
record ClusterRun(
    List<SubmitResult> submitted,
    List<LedgerEntry> ledger,
    List<Run> runs,
    Set<TriggerResult> feedback,
    Map<Long, List<String>> jobLog,
    long strangersWaiting,
    long waiting,
    long executing,
    long unacknowledged) {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final int WORKERS = 4;
  private static final int SLOTS = 16;
  private static final String WAITING = "jt_waiting_" + Workload.GROUP;

  /** One tracker, four workers, one client, on this database. */
  static ClusterRun on(TestDatabase database) {
    Journal journal = new Journal();
    Queue<TriggerResult> feedback = new ConcurrentLinkedQueue<>();
    List<SubmitResult> submitted = new ArrayList<>();
    long strangersWaiting;
    try (JobTracker tracker = JobTracker.create(JobTrackerConfig.local(0, database.config()))) {
      tracker.start();
      List<TaskTracker> workers = startWorkers(tracker.address(), journal);
      try (JobClient client =
          JobClient.builder()
              .trackers(tracker.address())
              .clientGroup("shop")
              .requestTimeout(PATIENCE)
              .build()) {
        client.onResult(feedback::add);
        Workload.recurring().forEach(job -> submitted.add(client.submit(job)));
        submitted.addAll(client.submitAll(Workload.oneShots()));
        awaitEnds(database);
        strangersWaiting = database.count(WAITING + " WHERE task_id <> '" + Workload.CRON + "'");
        assertThat(client.cancel(Workload.GROUP, Workload.CRON).found()).isTrue();
        awaitNone(database, "jt_executing");
        awaitNone(database, "jt_feedback");
      } finally {
        workers.forEach(TaskTracker::close);
      }
    }
    return new ClusterRun(
        submitted,
        readLedger(database),
        journal.runs(),
        new HashSet<>(feedback),
        readJobLog(database),
        strangersWaiting,
        database.count(WAITING),
        database.count("jt_executing"),
        database.count("jt_feedback"));
  }

  private static List<TaskTracker> startWorkers(String address, Journal journal) {
    List<TaskTracker> workers = new ArrayList<>();
    for (int i = 1; i <= WORKERS; i++) {
      String id = "worker-" + i;
      TaskTracker worker =
          TaskTracker.builder()
              .trackers(address)
              .nodeGroup(Workload.GROUP)
              .id(id)
              .slots(SLOTS)
              .handler("behave", journal.noting(id, Workload::behave))
              .build();
      worker.start();
      workers.add(worker);
    }
    return workers;
  }

  private static void awaitEnds(TestDatabase database) {
    String ends = "jt_history WHERE is_final AND task_id <> '" + Workload.CRON + "'";
    await("ends of all but the cron job")
        .atMost(PATIENCE)
        .until(() -> database.count(ends) >= Workload.FINITE_ENDS);
    String cronEnds = "jt_history WHERE status = 'SUCCEEDED' AND task_id = '" + Workload.CRON + "'";
    await("cron runs").atMost(PATIENCE).until(() -> database.count(cronEnds) >= 3);
  }

  private static void awaitNone(TestDatabase database, String table) {
    await("empty " + table).atMost(PATIENCE).until(() -> database.count(table) == 0);
  }

  private static List<LedgerEntry> readLedger(TestDatabase database) {
    List<LedgerEntry> rows = new ArrayList<>();
    List<LedgerEntry> page;
    do {
      long last = rows.isEmpty() ? Long.MIN_VALUE : rows.get(rows.size() - 1).id();
      page = database.stores().ledger().readAfter(last, 1_000);
      rows.addAll(page);
    } while (!page.isEmpty());
    return rows;
  }

  private static Map<Long, List<String>> readJobLog(TestDatabase database) {
    Map<Long, List<String>> lines = new TreeMap<>();
    String sql = "SELECT execution_id, line FROM jt_job_log ORDER BY execution_id, sequence_no";
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        lines.computeIfAbsent(rows.getLong(1), id -> new ArrayList<>()).add(rows.getString(2));
      }
      return lines;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
