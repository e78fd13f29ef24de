package io.millrace.benchmarks.pages;

import io.millrace.api.Job;
import io.millrace.api.RunNowResult;
import io.millrace.api.SubmitResult;
import io.millrace.benchmarks.database.Databases;
import io.millrace.benchmarks.database.MillraceUrl;
import io.millrace.benchmarks.measure.WallClock;
import io.millrace.console.ConsoleConfig;
import io.millrace.console.TrackerServer;
import io.millrace.console.TrackerServerConfig;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A tracker with a console and its own database. A client and workers fill it as users do; what
 * cannot be had so within minutes, the most of the ledger, are copies.
 */
final class FilledTracker implements AutoCloseable {
  static final String GROUP = "pages";

  private static final int BATCH = 1_000;
  private static final int SLOTS = 64;
  private static final Duration FILLING = Duration.ofMinutes(10);
  private static final Duration IN_A_MONTH = Duration.ofDays(30);
  private static final int SPREAD_MILLIS = (int) TimeUnit.DAYS.toMillis(10);

  /** As many as the page of the next hour shows. */
  private static final int ALL_IN_AN_HOUR = 500;

  /** One-shots that run before the ledger is copied. */
  private static final int RUN_FIRST = 1_000;

  /** Of the runs, one in this number fails, and as many have no attempt left. */
  private static final int FAILING_SHARE = 50;

  /** Calls of the client that are under way at once. */
  private static final int CALLS = 64;

  private final Databases.Fresh database;
  private final TrackerServer tracker;
  private final List<TaskTracker> workers;
  private final String token;
  private final String url;
  private final ApiPages pages;

  private FilledTracker(
      Databases.Fresh database, TrackerServer tracker, List<TaskTracker> workers, String token) {
    this.database = database;
    this.tracker = tracker;
    this.workers = workers;
    this.token = token;
    this.url = tracker.consoleUrl().orElseThrow();
    this.pages = new ApiPages(url, token);
  }

  /** Starts a tracker and fills it; the rows belong to this number of node groups in turn. */
  static FilledTracker fill(
      Databases.Fresh database, Rows rows, int groups, Consumer<String> progress)
      throws InterruptedException, SQLException {
    String url = MillraceUrl.of(database.url());
    TrackerServer tracker =
        TrackerServer.create(
            new TrackerServerConfig(
                    JobTrackerConfig.local(0, StoreConfig.of(url, database.user(), "")))
                .withConsole(ConsoleConfig.onLoopback(0)));
    tracker.start();
    int runs = Math.min(RUN_FIRST, rows.ended());
    CountDownLatch ran = new CountDownLatch(runs + rows.jobs());
    List<TaskTracker> workers = new ArrayList<>();
    for (int group = 0; group < groups; group++) {
      TaskTracker worker =
          TaskTracker.builder()
              .trackers(tracker.address())
              .nodeGroup(group(group))
              .slots(SLOTS)
              .runner(context -> run(context, ran))
              .build();
      worker.start();
      workers.add(worker);
    }
    try (JobClient client = JobClient.builder().trackers(tracker.address()).build()) {
      FilledTracker filled =
          new FilledTracker(database, tracker, workers, tracker.firstOperatorToken().orElseThrow());
      filled.submit(client, "past", runs, null, progress);
      filled.submit(
          client, "future", rows.waiting(), Instant.ofEpochMilli(WallClock.millis()), progress);
      filled.recur(
          client, rows.jobs(), "daily-", i -> "0 %d %d * * ?".formatted(i % 60, i / 60 % 24));
      filled.recur(client, ALL_IN_AN_HOUR, "hourly-", i -> "0 %d * * * ?".formatted(i % 60));
      filled.runEach(client, rows.jobs());
      progress.accept(rows.jobs() + " jobs recur");
      if (!ran.await(FILLING.toMinutes(), TimeUnit.MINUTES)) {
        throw new IllegalStateException(ran.getCount() + " jobs did not run in " + FILLING);
      }
      filled.copyLedger(url, rows.ended(), runs + rows.jobs(), progress);
      return filled;
    }
  }

  /** The name of a node group by its number. */
  private static String group(int number) {
    return number == 0 ? GROUP : GROUP + "-" + number;
  }

  private static Result run(JobContext context, CountDownLatch ran) {
    ran.countDown();
    int number = Math.floorMod(context.taskId().hashCode(), FAILING_SHARE);
    if (number == 0) {
      return Result.failed("the warehouse does not answer");
    }
    if (number == 1) {
      throw new IllegalStateException("the order is not there");
    }
    return Result.success();
  }

  private void copyLedger(String url, long rows, long first, Consumer<String> progress)
      throws SQLException, InterruptedException {
    try (Connection connection = DriverManager.getConnection(url, database.user(), "")) {
      LedgerCopies.ofSameJobs(connection, progress).fill(rows, first);
    }
  }

  /**
   * @param now the jobs are due a month after it; null for jobs that are due immediately
   */
  private void submit(
      JobClient client, String name, int count, @Nullable Instant now, Consumer<String> progress) {
    inBatches(
        client,
        count,
        (group, i) -> {
          Job.Builder job =
              Job.builder(group, name + "-" + i).param("order", "order-" + i).retry(0);
          return now == null
              ? job.build()
              : job.at(now.plus(IN_A_MONTH).plusMillis((long) i * SPREAD_MILLIS / count)).build();
        });
    progress.accept(count + " " + name + " jobs submitted");
  }

  /**
   * Submits daily jobs, so that almost none run meanwhile, and as many hourly jobs as the page of
   * the next hour shows, independent of the number of daily jobs.
   */
  private void recur(JobClient client, int count, String name, IntFunction<String> cron) {
    inBatches(
        client,
        count,
        (group, i) -> Job.builder(group, name + i).cron(cron.apply(i)).retry(0).build());
  }

  /** Lets jobs run that many times a second, so that there is something new on each page. */
  void recurEverySecond(int jobs) {
    try (JobClient client = JobClient.builder().trackers(tracker.address()).build()) {
      inBatches(
          client,
          jobs,
          (group, i) ->
              Job.builder(group, "every-second-" + i).every(Duration.ofSeconds(1)).build());
    }
  }

  private void inBatches(JobClient client, int count, BiFunction<String, Integer, Job> job) {
    for (int from = 0; from < count; from += BATCH) {
      List<Job> jobs = new ArrayList<>();
      for (int i = from; i < Math.min(count, from + BATCH); i++) {
        jobs.add(job.apply(group(i % workers.size()), i));
      }
      requireAccepted(client.submitAll(jobs));
    }
  }

  /** Runs each daily job once. */
  private void runEach(JobClient client, int jobs) {
    for (int from = 0; from < jobs; from += CALLS) {
      List<CompletableFuture<RunNowResult>> calls = new ArrayList<>();
      for (int i = from; i < Math.min(jobs, from + CALLS); i++) {
        calls.add(client.async().runNow(group(i % workers.size()), "daily-" + i));
      }
      calls.forEach(CompletableFuture::join);
    }
  }

  private static void requireAccepted(List<SubmitResult> results) {
    results.stream()
        .filter(result -> !result.isStored())
        .findFirst()
        .ifPresent(
            refused -> {
              throw new IllegalStateException("not accepted: " + refused);
            });
  }

  /**
   * Requests a page.
   *
   * @return its content
   * @throws IllegalStateException if the tracker rejects the request
   */
  String get(String path) throws IOException, InterruptedException {
    return pages.get(path);
  }

  /** Returns where its console is, without a path. */
  String url() {
    return url;
  }

  /** Returns what an operator signs in with. */
  String token() {
    return token;
  }

  /** Returns the response time of a page, in nanoseconds. */
  long time(String path) throws IOException, InterruptedException {
    return pages.time(path);
  }

  @Override
  public void close() {
    workers.forEach(TaskTracker::close);
    tracker.close();
    database.close();
  }
}
