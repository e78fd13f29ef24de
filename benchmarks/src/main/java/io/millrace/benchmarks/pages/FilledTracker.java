package io.millrace.benchmarks.pages;

import io.millrace.api.Job;
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
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A tracker with a console and its own database, filled in the way that users fill it. */
final class FilledTracker implements AutoCloseable {
  static final String GROUP = "pages";

  private static final int BATCH = 1_000;
  private static final int SLOTS = 64;
  private static final Duration FILLING = Duration.ofMinutes(10);
  private static final Duration IN_A_MONTH = Duration.ofDays(30);
  private static final int SPREAD_MILLIS = (int) TimeUnit.DAYS.toMillis(10);
  private static final int RECURRING_SHARE = 100;

  /**
   * The minimum number of recurring jobs; more than a page shows, so that the page is not shorter
   * with few rows.
   */
  private static final int LEAST_RECURRING = 500;

  private final Databases.Fresh database;
  private final TrackerServer tracker;
  private final TaskTracker worker;
  private final String token;
  private final HttpClient http = HttpClient.newHttpClient();

  private FilledTracker(
      Databases.Fresh database, TrackerServer tracker, TaskTracker worker, String token) {
    this.database = database;
    this.tracker = tracker;
    this.worker = worker;
    this.token = token;
  }

  /**
   * Starts a tracker and fills it: this number of jobs run, the same number wait for later, a
   * hundredth of it, but more than a page shows, recur daily, and some recur hourly.
   */
  static FilledTracker fill(Databases.Fresh database, int rows, Consumer<String> progress)
      throws InterruptedException {
    String url = MillraceUrl.of(database.url());
    TrackerServer tracker =
        TrackerServer.create(
            new TrackerServerConfig(
                    JobTrackerConfig.local(0, StoreConfig.of(url, database.user(), "")))
                .withConsole(ConsoleConfig.onLoopback(0)));
    tracker.start();
    CountDownLatch ran = new CountDownLatch(rows);
    TaskTracker worker =
        TaskTracker.builder()
            .trackers(tracker.address())
            .nodeGroup(GROUP)
            .slots(SLOTS)
            .runner(
                context -> {
                  ran.countDown();
                  return Result.success();
                })
            .build();
    worker.start();
    try (JobClient client = JobClient.builder().trackers(tracker.address()).build()) {
      submit(client, "past", rows, null, progress);
      submit(client, "future", rows, Instant.ofEpochMilli(WallClock.millis()), progress);
      recur(
          client,
          Math.max(LEAST_RECURRING, rows / RECURRING_SHARE),
          "daily-",
          i -> "0 %d %d * * ?".formatted(i % 60, i / 60 % 24));
      recur(client, LEAST_RECURRING, "hourly-", i -> "0 %d * * * ?".formatted(i % 60));
      if (!ran.await(FILLING.toMinutes(), TimeUnit.MINUTES)) {
        throw new IllegalStateException(ran.getCount() + " jobs did not run in " + FILLING);
      }
    }
    String token = tracker.firstOperatorToken().orElseThrow();
    return new FilledTracker(database, tracker, worker, token);
  }

  /**
   * @param now the jobs are due a month after it; null for jobs that are due immediately
   */
  private static void submit(
      JobClient client, String name, int count, @Nullable Instant now, Consumer<String> progress) {
    for (int from = 0; from < count; from += BATCH) {
      List<Job> jobs = new ArrayList<>();
      for (int i = from; i < Math.min(count, from + BATCH); i++) {
        Job.Builder job = Job.builder(GROUP, name + "-" + i).param("order", "order-" + i);
        if (now != null) {
          job.at(now.plus(IN_A_MONTH).plusMillis((long) i * SPREAD_MILLIS / count));
        }
        jobs.add(job.build());
      }
      requireAccepted(client.submitAll(jobs));
    }
    progress.accept(count + " " + name + " jobs submitted");
  }

  /**
   * Submits daily jobs, so that almost none run meanwhile, and as many hourly jobs as the page of
   * the next hour shows, independent of the number of daily jobs.
   */
  private static void recur(JobClient client, int count, String name, IntFunction<String> cron) {
    for (int from = 0; from < count; from += BATCH) {
      List<Job> jobs = new ArrayList<>();
      for (int i = from; i < Math.min(count, from + BATCH); i++) {
        jobs.add(Job.builder(GROUP, name + i).cron(cron.apply(i)).build());
      }
      requireAccepted(client.submitAll(jobs));
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
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(tracker.consoleUrl().orElseThrow() + path))
                .header("Authorization", "Bearer " + token)
                .build(),
            HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(path + ": " + answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }

  /** Returns the response time of a page, in nanoseconds. */
  long time(String path) throws IOException, InterruptedException {
    long begin = WallClock.nanoTime();
    String unused = get(path);
    return WallClock.nanoTime() - begin;
  }

  @Override
  public void close() {
    worker.close();
    tracker.close();
    database.close();
  }
}
