package io.millrace.benchmarks.maps;

import io.millrace.api.CancelResult;
import io.millrace.api.Job;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.benchmarks.database.Databases;
import io.millrace.benchmarks.database.MillraceUrl;
import io.millrace.benchmarks.measure.Percentiles;
import io.millrace.benchmarks.measure.WallClock;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** A tracker with one worker and one client, and the handlers that are measured. */
final class MappingTracker implements AutoCloseable {
  private static final String GROUP = "maps";
  private static final String PARTS = "parts";
  private static final String LONE = "lone-";
  private static final int SLOTS = 64;
  private static final int SUBMITTERS = 4;
  private static final int BATCH = 500;

  /** How many parts a handler has in memory at a time. */
  private static final int CHUNK = 10_000;

  /** How many lone jobs are counted: of so few that the last percent is of several. */
  private static final int LONE_JOBS = 1_000;

  /** Times between two steps, in milliseconds. */
  private static final long BETWEEN_LONE_JOBS = 20;

  private static final long BETWEEN_COLLECTIONS = 1_000;
  private static final long LOOK = 20;

  private static final double NANOS = 1e9;

  private final Databases.Fresh database;
  private final JobTracker tracker;
  private final TaskTracker worker;
  private final JobClient client;
  private final Connection tables;
  private final AtomicLong jobsRun = new AtomicLong();
  private final AtomicLong mappedAt = new AtomicLong();
  private final Queue<Long> lateMicros = new ConcurrentLinkedQueue<>();

  /** Whether a lone job that starts now is counted. */
  private volatile BooleanSupplier counted = () -> true;

  private int number;
  private int loneJobs;

  private MappingTracker(Databases.Fresh database, String url) throws SQLException {
    this.database = database;
    this.tracker =
        JobTracker.create(JobTrackerConfig.local(0, StoreConfig.of(url, database.user(), "")));
    tracker.start();
    this.worker =
        TaskTracker.builder()
            .trackers(tracker.address())
            .nodeGroup(GROUP)
            .slots(SLOTS)
            .runner(this::run)
            .build();
    worker.start();
    this.client = JobClient.builder().trackers(tracker.address()).build();
    this.tables = DriverManager.getConnection(url, database.user(), "");
  }

  /** Starts all over an empty database. */
  static MappingTracker over(Databases.Fresh database) throws SQLException {
    String url = MillraceUrl.of(database.url());
    return new MappingTracker(database, url);
  }

  private Result run(JobContext context) {
    String parts = context.param(PARTS);
    if (context.taskId().startsWith(LONE)) {
      long due = TimeUnit.MILLISECONDS.toMicros(context.dueAt().toEpochMilli());
      if (counted.getAsBoolean()) {
        lateMicros.add(Math.max(0, WallClock.micros() - due));
      }
    } else if (parts != null && context.part() == 0) {
      map(context, Integer.parseInt(parts));
      mappedAt.set(WallClock.nanoTime());
    } else if (context.part() == 0) {
      jobsRun.incrementAndGet();
    }
    return Result.success();
  }

  private static void map(JobContext context, int parts) {
    for (int from = 0; from < parts; from += CHUNK) {
      context.map(
          IntStream.range(from, Math.min(parts, from + CHUNK))
              .mapToObj(i -> Map.of("number", i))
              .toList());
    }
  }

  /** Returns the jobs a second of so many one-shots, from the first submit until all have ended. */
  double drainJobs(int jobs) throws InterruptedException {
    int first = number;
    number += jobs;
    long before = jobsRun.get();
    long begun = WallClock.nanoTime();
    ExecutorService submitters = Executors.newFixedThreadPool(SUBMITTERS);
    for (int from = 0; from < jobs; from += BATCH) {
      List<Job> batch =
          IntStream.range(first + from, first + Math.min(jobs, from + BATCH))
              .mapToObj(i -> Job.builder(GROUP, "job-" + i).param("number", i).build())
              .toList();
      submitters.execute(() -> client.submitAll(batch).forEach(MappingTracker::requireAccepted));
    }
    submitters.shutdown();
    while (jobsRun.get() < before + jobs || count("jt_executing") > 0) {
      TimeUnit.MILLISECONDS.sleep(LOOK);
    }
    return jobs * NANOS / (WallClock.nanoTime() - begun);
  }

  /** Returns the parts a second of one run, from the end of its handler until it has ended. */
  double drainParts(int parts) throws InterruptedException {
    mappedAt.set(0);
    String taskId = submitMap(parts);
    awaitEnd(taskId, "SUCCEEDED");
    return parts * NANOS / (WallClock.nanoTime() - mappedAt.get());
  }

  private String submitMap(int parts) {
    String taskId = "map-" + number++;
    requireAccepted(client.submit(Job.builder(GROUP, taskId).param(PARTS, parts).build()));
    return taskId;
  }

  /** Something that takes a while. */
  interface Work {
    void run() throws InterruptedException;
  }

  /** How late lone jobs start that are due at once, submitted one after the other. */
  Percentiles latenessOfLoneJobs() throws InterruptedException {
    return lateness(() -> true);
  }

  /**
   * The same while parts run: of runs of so many parts, one after the other, from the end of the
   * handler until the run has ended.
   */
  Percentiles latenessBesideParts(int parts) throws InterruptedException {
    mappedAt.set(0);
    lateMicros.clear();
    Thread maps =
        start(
            () -> {
              while (lateMicros.size() < LONE_JOBS) {
                double unused = drainParts(parts);
              }
            });
    Percentiles beside = lateness(() -> mappedAt.get() != 0);
    maps.join();
    return beside;
  }

  private Percentiles lateness(BooleanSupplier isCounted) throws InterruptedException {
    counted = isCounted;
    lateMicros.clear();
    while (lateMicros.size() < LONE_JOBS) {
      requireAccepted(client.submit(Job.builder(GROUP, LONE + loneJobs++).build()));
      TimeUnit.MILLISECONDS.sleep(BETWEEN_LONE_JOBS);
    }
    return Percentiles.ofMicros(lateMicros.stream().mapToLong(Long::longValue).sorted().toArray());
  }

  /** Returns by how many bytes the live heap of this process grew at most during the work. */
  long heapOf(Work work) throws InterruptedException {
    long before = liveHeap();
    long most = before;
    Thread other = start(work);
    while (other.isAlive()) {
      most = Math.max(most, liveHeap());
      TimeUnit.MILLISECONDS.sleep(BETWEEN_COLLECTIONS);
    }
    other.join();
    return most - before;
  }

  private static long liveHeap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Returns how long the cancel of a run of so many parts takes, right after it was opened. */
  long nanosOfCancel(int parts) throws InterruptedException {
    String taskId = submitMap(parts);
    while (count("jt_batch WHERE state = 'OPEN'") == 0) {
      TimeUnit.MILLISECONDS.sleep(LOOK);
    }
    long begun = WallClock.nanoTime();
    CancelResult result = client.cancel(GROUP, taskId);
    long nanos = WallClock.nanoTime() - begun;
    if (!result.found()) {
      throw new IllegalStateException("the run had ended before its cancel");
    }
    awaitEnd(taskId, "CANCELLED");
    return nanos;
  }

  private static Thread start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
              }
            },
            "bench-maps");
    thread.start();
    return thread;
  }

  private static void requireAccepted(SubmitResult result) {
    if (result.status() != SubmitStatus.ACCEPTED) {
      throw new IllegalStateException("a job was not accepted: " + result);
    }
  }

  /** Looks at the table of open runs, which is small: what looks must not be what is measured. */
  private void awaitEnd(String taskId, String status) throws InterruptedException {
    while (mappedAt.get() == 0 || count("jt_batch") > 0) {
      TimeUnit.MILLISECONDS.sleep(LOOK);
    }
    String end = "jt_history WHERE node_group = '%s' AND task_id = '%s'".formatted(GROUP, taskId);
    if (count(end + " AND status = '" + status + "'") == 0) {
      throw new IllegalStateException(taskId + " has not ended as " + status);
    }
  }

  private long count(String rows) {
    try (Statement statement = tables.createStatement();
        ResultSet found = statement.executeQuery("SELECT COUNT(*) FROM " + rows)) {
      return found.next() ? found.getLong(1) : 0;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    client.close();
    worker.close();
    tracker.close();
    try {
      tables.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    database.close();
  }
}
